# cmake -DNM=... -DFILES=... -P: fails when an object or archive of FILES defines writable data.
if(NOT FILES)
  message(FATAL_ERROR "no firmware objects to look at")
endif()
execute_process(COMMAND ${NM} --defined-only ${FILES}
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(NOT symbols MATCHES " T [A-Za-z_]+")
  message(FATAL_ERROR "no functions in ${FILES}")
endif()
# b, d, g and s are data sections, c is common; small letters are local symbols.
string(REGEX MATCHALL "[^\n]* [BbDdGgSsC] [^\n]*" writable "${symbols}")
if(writable)
  list(JOIN writable "\n" writable)
  message(FATAL_ERROR "the firmware has mutable globals:\n${writable}")
endif()
