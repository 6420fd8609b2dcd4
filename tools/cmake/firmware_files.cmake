# heddle_add_firmware_object(NAME file...): firmware as the shared object NAME.so in the build folder,
# for projects outside this tree. A netlist beside that folder says `firmware: ./build/NAME`; `heddle`
# itself, which nobody links anew, runs it. C alone, no SystemC.
function(heddle_add_firmware_object name)
  set(sources ${ARGN})
  list(FILTER sources INCLUDE REGEX "\\.c$")  # assembly is for the RISC-V cores
  set(target heddle_firmware_${name}_object)
  add_library(${target} MODULE ${sources})
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} SUFFIX .so LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
    C_STANDARD 11 C_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE -ffreestanding)
  heddle_set_native_flags(${target})
  # The archive alone: the HAL is the simulator's.
  target_link_libraries(${target} PRIVATE
    heddle::hal heddle_register_headers $<TARGET_FILE:heddle::firmware>)
  add_custom_command(TARGET ${target} PRE_LINK
    COMMAND sh ${heddle_check_globals} ${CMAKE_OBJDUMP} $<TARGET_OBJECTS:${target}>
    COMMAND_EXPAND_LISTS VERBATIM)
endfunction()
