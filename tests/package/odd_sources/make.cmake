# make.cmake -DPREFIX= -DSOURCE= -DFOLDER=: firmware.mk keeps sources of one name apart, gives assembly
# to the RISC-V cores alone and refuses variables that all native cores would share, and Makefiles that
# do not say what to build.
file(REMOVE_RECURSE ${FOLDER})
file(COPY ${SOURCE}/ DESTINATION ${FOLDER})
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
