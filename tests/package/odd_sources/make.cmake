# make.cmake -DPREFIX= -DSOURCE= -DFOLDER=: firmware.mk keeps sources of one name apart, gives assembly
# to the RISC-V cores alone and refuses variables that all native cores would share, and Makefiles that
# do not say what to build, and makes linker scripts anew where parts of the netlist have changed.
file(REMOVE_RECURSE ${FOLDER})
file(COPY ${SOURCE}/ DESTINATION ${FOLDER})
file(COPY ${SOURCE}/../../../sw/template DESTINATION ${FOLDER})
execute_process(COMMAND make HEDDLE=${PREFIX} WORKING_DIRECTORY ${FOLDER}/app
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND nm ${FOLDER}/app/build/odd.so OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
foreach(name main one two)
  if(NOT names MATCHES " T ${name}\n")
    message(SEND_ERROR "odd.so has no ${name}:\n${names}")
  endif()
endforeach()
if(names MATCHES " word\n")
  message(SEND_ERROR "assembly for RISC-V went to the host's compiler")
endif()
file(GLOB_RECURSE above ${FOLDER}/lib/*.o ${FOLDER}/app/build/lib/*.o)
if(above)
  message(SEND_ERROR "objects outside their folders: ${above}")
endif()
foreach(variable APP SOURCES)
  execute_process(COMMAND make HEDDLE=${PREFIX} ${variable}= WORKING_DIRECTORY ${FOLDER}/app
    OUTPUT_QUIET ERROR_VARIABLE said RESULT_VARIABLE code)
  if(code EQUAL 0 OR NOT said MATCHES "${variable} is not set")
    message(SEND_ERROR "a Makefile without ${variable} was not refused (${code}):\n${said}")
  endif()
endforeach()
execute_process(COMMAND make HEDDLE=${PREFIX} COUNTS=1 WORKING_DIRECTORY ${FOLDER}/app
  OUTPUT_QUIET ERROR_VARIABLE said RESULT_VARIABLE code)
if(code EQUAL 0 OR NOT said MATCHES "mutable variables, which all native cores would share.*\n  calls")
  message(SEND_ERROR "a static variable was not refused (${code}):\n${said}")
endif()

# The linker script follows the parts of the netlist, and stays as it is where nothing changes.
function(make_script)
  execute_process(COMMAND make HEDDLE=${PREFIX} NETLIST=system.yaml build/odd.ld
    WORKING_DIRECTORY ${FOLDER}/app OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${FOLDER}/app/build/odd.ld script)
  file(TIMESTAMP ${FOLDER}/app/build/odd.ld time "%s%f")
  set(script "${script}" PARENT_SCOPE)
  set(time ${time} PARENT_SCOPE)
endfunction()
make_script()
set(first ${time})
make_script()
if(NOT script MATCHES "LENGTH = 0x10000 " OR NOT time STREQUAL first)
  message(SEND_ERROR "a script of 64 KiB that nothing has changed (${first}, ${time}):\n${script}")
endif()
file(READ ${FOLDER}/app/machine.yaml part)
string(REPLACE "64 KiB" "32 KiB" part "${part}")
file(WRITE ${FOLDER}/app/machine.yaml "${part}")
make_script()
if(NOT script MATCHES "LENGTH = 0x8000 ")
  message(SEND_ERROR "the linker script does not follow a part of its netlist:\n${script}")
endif()

# Make would take the parts of a path with blanks for paths.
execute_process(COMMAND make "HEDDLE=${PREFIX} 2" WORKING_DIRECTORY ${FOLDER}/template
  OUTPUT_QUIET ERROR_VARIABLE said RESULT_VARIABLE code)
if(code EQUAL 0 OR NOT said MATCHES "make knows no paths with blanks")
  message(SEND_ERROR "a path with a blank was not refused (${code}):\n${said}")
endif()
