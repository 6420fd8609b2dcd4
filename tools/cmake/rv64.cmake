# Firmware for the RV64 core: the same sources once more, by the cross compiler, where there is one.
#
#   heddle_add_rv64_library(SOURCE...)     start-up code, HAL, drivers, collectives: once, in sw/
#   heddle_add_rv64_program(NAME SOURCE...)  firmware/NAME.elf beside the programs
#
# In the tree the library lies under the build folder, in an installation under lib/heddle/rv64.
find_program(HEDDLE_RV64_CC riscv64-unknown-elf-gcc)
find_program(HEDDLE_RV64_AR riscv64-unknown-elf-ar)

if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/../../sw/start/rv64.ld)
  set(heddle_rv64_folder ${CMAKE_BINARY_DIR}/rv64)
  set(heddle_rv64_script ${CMAKE_CURRENT_LIST_DIR}/../../sw/start/rv64.ld)
else()
  set(heddle_rv64_folder ${CMAKE_CURRENT_LIST_DIR}/../../heddle/rv64)
  set(heddle_rv64_script ${heddle_rv64_folder}/rv64.ld)
endif()
# No sibling calls, and no calls made one: a report then names the line that called the HAL.
set(heddle_rv64_flags -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany
  -O2 -g -std=c11 -ffreestanding -fno-tree-loop-distribute-patterns -fno-optimize-sibling-calls
  -fno-crossjumping -fno-tree-tail-merge
  -ffunction-sections
  -fdata-sections -Wall -Wextra -Wconversion)

# Sets `objects` to what the sources compile to.
function(heddle_compile_rv64 name objects)
  set(made)
  foreach(source IN LISTS ARGN)
    get_filename_component(source ${source} ABSOLUTE)
    file(RELATIVE_PATH place ${PROJECT_SOURCE_DIR} ${source})
    string(MAKE_C_IDENTIFIER ${place} file)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/rv64/${name}/${file}.o)
    set(headers "$<TARGET_PROPERTY:heddle::hal,INTERFACE_INCLUDE_DIRECTORIES>")
    set(registers "$<TARGET_PROPERTY:heddle_register_headers,INTERFACE_INCLUDE_DIRECTORIES>")
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/rv64/${name}
      COMMAND ${HEDDLE_RV64_CC} ${heddle_rv64_flags} -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.
              "-I$<JOIN:${headers},;-I>" "-I$<JOIN:${registers},;-I>"
              -MD -MF ${object}.d -c ${place} -o ${object}
      DEPENDS ${source} DEPFILE ${object}.d
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}  # line tables then name files of the project
      COMMENT "Building rv64 object ${place}"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND made ${object})
  endforeach()
  set(${objects} ${made} PARENT_SCOPE)
endfunction()

function(heddle_add_rv64_library)
  if(NOT HEDDLE_RV64_CC)
    message(STATUS "no riscv64-unknown-elf-gcc: firmware is built natively alone")
    return()
  endif()
  heddle_compile_rv64(heddle_firmware objects ${ARGN})
  set(library ${heddle_rv64_folder}/libheddle_firmware.a)
  file(MAKE_DIRECTORY ${heddle_rv64_folder})
  add_custom_command(OUTPUT ${library}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${library}
    COMMAND ${HEDDLE_RV64_AR} rcs ${library} ${objects}
    DEPENDS ${objects} VERBATIM)
  add_custom_target(heddle_firmware_rv64 ALL DEPENDS ${library})
  add_dependencies(heddle_firmware_rv64 heddle_register_headers)
endfunction()

function(heddle_add_rv64_program name)
  if(NOT HEDDLE_RV64_CC)
    return()
  endif()
  heddle_compile_rv64(${name} objects ${ARGN})
  set(folder ${CMAKE_BINARY_DIR})
  if(CMAKE_RUNTIME_OUTPUT_DIRECTORY)
    set(folder ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  endif()
  set(program ${folder}/firmware/${name}.elf)
  file(MAKE_DIRECTORY ${folder}/firmware)
  set(library ${heddle_rv64_folder}/libheddle_firmware.a)
  add_custom_command(OUTPUT ${program}
    COMMAND ${HEDDLE_RV64_CC} ${heddle_rv64_flags} -nostdlib -static -T ${heddle_rv64_script}
            -Wl,--gc-sections -Wl,--no-warn-rwx-segments -Wl,-u,_start
            ${objects} ${library} -lgcc -o ${program}
    DEPENDS ${objects} ${library} ${heddle_rv64_script}
    COMMENT "Linking rv64 firmware ${name}"
    VERBATIM)
  add_custom_target(heddle_firmware_${name}_rv64 ALL DEPENDS ${program})
  add_dependencies(heddle_firmware_${name}_rv64 heddle_register_headers)
  if(TARGET heddle_firmware_rv64)
    add_dependencies(heddle_firmware_${name}_rv64 heddle_firmware_rv64)
  endif()
  if(TARGET heddle_firmware_${name})  # who links the native app wants this one too
    add_dependencies(heddle_firmware_${name} heddle_firmware_${name}_rv64)
  endif()
endfunction()
