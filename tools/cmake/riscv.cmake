# Firmware for the RISC-V cores of 64 and 32 bits: the same sources once more each, by the cross
# compiler, where there is one.
#
#   heddle_add_riscv_library(SOURCE...)     start-up code, HAL, drivers, collectives: once, in sw/
#   heddle_add_riscv_program(NAME SOURCES file... [NETLIST file [CORE path]] [XLEN 64] [MOVES]
#                            [FLOAT])
#       firmware/NAME.elf and firmware/rv32/NAME.elf beside the programs, or that of XLEN alone.
#       FLOAT lets the compiler use F and D; what functions are given stays in integer registers.
#       The global property HEDDLE_RISCV_PROGRAMS_64 (_32) lists them all.
#       With NETLIST the linker script is the one of that core, by `heddle show --linker-script`.
#
# In the tree the libraries lie under the build folder, in an installation under lib/heddle/rv64 and
# lib/heddle/rv32.
find_program(HEDDLE_RV64_CC riscv64-unknown-elf-gcc)
find_program(HEDDLE_RV64_AR riscv64-unknown-elf-ar)

if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/../../sw/start/sections.ld)
  set(heddle_riscv_folder ${CMAKE_BINARY_DIR})
  set(heddle_riscv_scripts ${CMAKE_CURRENT_LIST_DIR}/../../sw/start)
  set(heddle_is_installed FALSE)
else()
  set(heddle_is_installed TRUE)
  set(heddle_riscv_folder ${CMAKE_CURRENT_LIST_DIR}/../../heddle)
  set(heddle_riscv_scripts ${heddle_riscv_folder})
endif()
# No sibling calls, and no calls made one: a report then names the line that called the HAL.
set(heddle_riscv_flags -mcmodel=medany
  -O2 -g -std=c11 -ffreestanding -fno-tree-loop-distribute-patterns -fno-optimize-sibling-calls
  -fno-crossjumping -fno-tree-tail-merge
  -ffunction-sections
  -fdata-sections -Wall -Wextra -Wconversion)
set(heddle_riscv_flags_64 -march=rv64imac_zicsr_zifencei -mabi=lp64 ${heddle_riscv_flags})
set(heddle_riscv_flags_32 -march=rv32imac_zicsr_zifencei -mabi=ilp32 ${heddle_riscv_flags})
set(heddle_riscv_float_64 -march=rv64gc -fno-math-errno)
set(heddle_riscv_float_32 -march=rv32gc -fno-math-errno)
# The compiler's own library goes by the shorter name of the architecture.
set(heddle_riscv_link_64 -march=rv64imac -mabi=lp64)
set(heddle_riscv_link_32 -march=rv32imac -mabi=ilp32)

# Sets `objects` to what the sources compile to; `flags` come behind those of every program.
function(heddle_compile_riscv xlen name objects flags)
  set(made)
  foreach(source IN LISTS ARGN)
    get_filename_component(source ${source} ABSOLUTE)
    file(RELATIVE_PATH place ${PROJECT_SOURCE_DIR} ${source})
    string(MAKE_C_IDENTIFIER ${place} file)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/rv${xlen}/${name})
    set(object ${folder}/${file}.o)
    set(headers "$<TARGET_PROPERTY:heddle::hal,INTERFACE_INCLUDE_DIRECTORIES>")
    set(registers "$<TARGET_PROPERTY:heddle_register_headers,INTERFACE_INCLUDE_DIRECTORIES>")
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(OUTPUT ${object}
      COMMAND ${HEDDLE_RV64_CC} ${heddle_riscv_flags_${xlen}} ${flags}
              -fdebug-prefix-map=${PROJECT_SOURCE_DIR}=.  # the one that the assembler is given
              -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.
              -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=
              "-I$<JOIN:${headers},;-I>" "-I$<JOIN:${registers},;-I>"
              -MD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source} DEPFILE ${object}.d
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}  # line tables then name files of the project
      COMMENT "Building rv${xlen} object ${place}"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND made ${object})
  endforeach()
  set(${objects} ${made} PARENT_SCOPE)
endfunction()

function(heddle_add_riscv_library)
  if(NOT HEDDLE_RV64_CC)
    message(STATUS "no riscv64-unknown-elf-gcc: firmware is built natively alone")
    return()
  endif()
  foreach(xlen 64 32)
    heddle_compile_riscv(${xlen} heddle_firmware objects "" ${ARGN})
    set(library ${heddle_riscv_folder}/rv${xlen}/libheddle_firmware.a)
    file(MAKE_DIRECTORY ${heddle_riscv_folder}/rv${xlen})
    add_custom_command(OUTPUT ${library}
      COMMAND ${CMAKE_COMMAND} -E rm -f ${library}
      COMMAND ${HEDDLE_RV64_AR} rcs ${library} ${objects}
      DEPENDS ${objects} VERBATIM)
    add_custom_target(heddle_firmware_rv${xlen} ALL DEPENDS ${library})
    add_dependencies(heddle_firmware_rv${xlen} heddle_register_headers)
  endforeach()
endfunction()

# Sets `script` to the linker script of the one core.
function(heddle_make_linker_script name netlist core script)
  get_filename_component(netlist ${netlist} ABSOLUTE)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/${name}.ld)
  set(chosen)
  if(core)
    set(chosen --core ${core})
  endif()
  add_custom_command(OUTPUT ${made}
    COMMAND heddle::heddle show ${netlist} --linker-script ${made} ${chosen}
    DEPENDS ${netlist} heddle::heddle
    COMMENT "Generating linker script of ${name}" VERBATIM)
  set(${script} ${made} PARENT_SCOPE)
endfunction()

function(heddle_add_riscv_program name)
  cmake_parse_arguments(PARSE_ARGV 1 program "MOVES;FLOAT" "NETLIST;CORE" "SOURCES;XLEN")
  if(NOT HEDDLE_RV64_CC)
    return()
  endif()
  if(NOT program_XLEN)
    set(program_XLEN 64 32)
  endif()
  set(script ${heddle_riscv_scripts}/firmware.ld)
  if(program_MOVES)
    set(script ${heddle_riscv_scripts}/moving.ld)
  endif()
  if(program_NETLIST)
    heddle_make_linker_script(${name} ${program_NETLIST} "${program_CORE}" script)
  endif()
  set(folder ${CMAKE_BINARY_DIR})
  if(CMAKE_RUNTIME_OUTPUT_DIRECTORY)
    set(folder ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  endif()
  set(folder_64 ${folder}/firmware)
  set(folder_32 ${folder}/firmware/rv32)
  set(programs)
  foreach(xlen IN LISTS program_XLEN)
    set(flags)
    if(program_FLOAT)
      set(flags ${heddle_riscv_float_${xlen}})
    endif()
    heddle_compile_riscv(${xlen} ${name} objects "${flags}" ${program_SOURCES})
    set(program ${folder_${xlen}}/${name}.elf)
    file(MAKE_DIRECTORY ${folder_${xlen}})
    set(library ${heddle_riscv_folder}/rv${xlen}/libheddle_firmware.a)
    set(beside)
    if(heddle_is_installed)
      set(beside COMMAND ${CMAKE_COMMAND} -E copy ${program}
        ${CMAKE_BINARY_DIR}/${name}.rv${xlen}.elf)
    endif()
    add_custom_command(OUTPUT ${program}
      COMMAND ${HEDDLE_RV64_CC} ${heddle_riscv_link_${xlen}} -nostdlib -static
              -T ${script} -L ${heddle_riscv_scripts}
              -Wl,--gc-sections -Wl,--no-warn-rwx-segments -Wl,-u,_start
              ${objects} ${library} -lgcc -o ${program}
      ${beside}
      DEPENDS ${objects} ${library} ${script} ${heddle_riscv_scripts}/sections.ld
      COMMENT "Linking rv${xlen} firmware ${name}"
      VERBATIM)
    list(APPEND programs ${program})
    set_property(GLOBAL APPEND PROPERTY HEDDLE_RISCV_PROGRAMS_${xlen} ${program})
  endforeach()
  add_custom_target(heddle_firmware_${name}_riscv ALL DEPENDS ${programs})
  add_dependencies(heddle_firmware_${name}_riscv heddle_register_headers)
  foreach(xlen IN LISTS program_XLEN)
    if(TARGET heddle_firmware_rv${xlen})
      add_dependencies(heddle_firmware_${name}_riscv heddle_firmware_rv${xlen})
    endif()
  endforeach()
  # Who links the native app wants this one too; a script that `heddle` makes has to wait for it.
  if(TARGET heddle_firmware_${name} AND NOT program_NETLIST)
    add_dependencies(heddle_firmware_${name} heddle_firmware_${name}_riscv)
  endif()
endfunction()
