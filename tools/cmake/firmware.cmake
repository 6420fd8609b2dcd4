# heddle_add_firmware(NAME SOURCES file... [NETLIST file [CORE path]] [XLEN 64] [MOVES])
#
# Builds the app natively as the object library heddle_firmware_NAME and registers its main as NAME
# (platform/firmware/firmware_registry.hpp). Link the library to the program that runs it; a netlist
# then says `firmware: NAME`. Works the same in this tree and with the installed package.
#
# Where riscv64-unknown-elf-gcc is installed, the same sources also become firmware/NAME.elf for the
# RV64 core and firmware/rv32/NAME.elf for the RV32 core, linked to the memory that the core has in
# NETLIST, or to 1 MiB at 0x80000000 (riscv.cmake); XLEN 64 leaves the RV32 core out. With MOVES
# they run in any 16 KiB (sw/start/moving.ld).
#
# In a project outside there are also NAME.so, NAME.rv64.elf and NAME.rv32.elf in the build folder, which
# the installed `heddle` runs for `firmware: ./build/NAME`. A project without C++ has these alone.
include(${CMAKE_CURRENT_LIST_DIR}/riscv.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/firmware_files.cmake)

# Sets `options` to what makes line tables name files relative to the project, wherever it is built.
# Files directly in the project's folder have no folder of their own there: they are named relative
# to the one that the compiler works in, so that one has to be "." in the table. Of the options that
# fit a path GCC takes the last. Clang takes one by its own order, but can be told the folder.
function(heddle_set_source_names options)
  set(found "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")
  file(RELATIVE_PATH way ${CMAKE_BINARY_DIR} ${PROJECT_SOURCE_DIR})  # compiler caches may go that way
  if(way)
    string(REGEX REPLACE "([^/])$" "\\1/" way "${way}")
    list(APPEND found "-ffile-prefix-map=${way}=")
  endif()
  set(worked_in ${CMAKE_BINARY_DIR} ${CMAKE_CURRENT_BINARY_DIR})  # by Ninja and by make
  list(REMOVE_DUPLICATES worked_in)
  set(of_gcc)
  foreach(folder IN LISTS worked_in)
    list(APPEND of_gcc "-ffile-prefix-map=${folder}=.")
    file(RELATIVE_PATH inside ${PROJECT_SOURCE_DIR} ${folder})
    if(NOT inside MATCHES "^\\.\\.")  # files that were made there are named with the build folder
      list(APPEND of_gcc "-ffile-prefix-map=${folder}/=$<$<BOOL:${inside}>:${inside}/>")
    endif()
  endforeach()
  list(APPEND found "$<$<C_COMPILER_ID:GNU>:${of_gcc}>"
    "$<$<C_COMPILER_ID:Clang>:-fdebug-compilation-dir=.>")
  set(${options} "${found}" PARENT_SCOPE)
endfunction()

# Reports on firmware that runs natively name its lines: line tables with paths of the project, and
# calls of the HAL that return to their line and are not made one with others. A frame touches each
# page of the stack that it takes, so that one which is too large is reported.
function(heddle_set_native_flags target)
  heddle_set_source_names(names)
  target_compile_options(${target} PRIVATE -g "${names}"
    -fno-optimize-sibling-calls -fstack-clash-protection
    "$<$<C_COMPILER_ID:GNU>:-fno-crossjumping;-fno-tree-tail-merge>")
endfunction()

# The object library of the native app.
function(heddle_register_firmware name)
  string(MAKE_C_IDENTIFIER "heddle_firmware_${name}" entry)
  set(registration "${CMAKE_CURRENT_BINARY_DIR}/${entry}_registration.cpp")
  file(CONFIGURE OUTPUT "${registration}" @ONLY CONTENT [==[
#include "platform/firmware/firmware_registry.hpp"

extern "C" int @entry@(void);

[[maybe_unused]] static const bool is_registered = [] {
  ::heddle::firmware_registry::instance().add("@name@", &@entry@);
  return true;
}();
]==])
  add_library(heddle_firmware_${name} OBJECT ${ARGN} "${registration}")
  set_property(GLOBAL APPEND PROPERTY HEDDLE_FIRMWARE_APPS ${name})
  heddle_set_native_flags(heddle_firmware_${name})
  # The program has a main of its own.
  target_compile_definitions(heddle_firmware_${name} PRIVATE
    "$<$<COMPILE_LANGUAGE:C>:main=${entry}>")
  target_link_libraries(heddle_firmware_${name}
    PUBLIC heddle::firmware heddle::platform $<BUILD_INTERFACE:heddle_register_headers>
    PRIVATE $<BUILD_INTERFACE:$<TARGET_NAME_IF_EXISTS:heddle_warnings>>)
endfunction()

function(heddle_add_firmware name)
  cmake_parse_arguments(PARSE_ARGV 1 firmware "MOVES" "NETLIST;CORE" "SOURCES;XLEN")
  if(NOT firmware_SOURCES OR firmware_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "usage: heddle_add_firmware(name SOURCES file... [NETLIST file [CORE path]] [XLEN 64])")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(CXX IN_LIST languages)
    heddle_register_firmware(${name} ${firmware_SOURCES})
  endif()
  if(heddle_is_installed)
    heddle_add_firmware_object(${name} ${firmware_SOURCES})
  endif()
  set(options)
  foreach(option NETLIST CORE XLEN)
    if(firmware_${option})
      list(APPEND options ${option} ${firmware_${option}})
    endif()
  endforeach()
  if(firmware_MOVES)
    list(APPEND options MOVES)
  endif()
  heddle_add_riscv_program(${name} SOURCES ${firmware_SOURCES} ${options})
endfunction()
