# heddle_add_registers(TARGET models/dma/dma.regs.yaml ...) makes, of each file,
#
#   ${CMAKE_BINARY_DIR}/generated/models/dma/dma_regs.hpp   #include "models/dma/dma_regs.hpp"
#   ${CMAKE_BINARY_DIR}/generated/models/dma/dma_regs.h     the same for C
#   ${CMAKE_BINARY_DIR}/generated/models/dma/dma_regs.md    reference page
#   ${CMAKE_BINARY_DIR}/generated/models/dma/dma_regs.svd   the same for debuggers
#   ${CMAKE_BINARY_DIR}/generated/sw/regs/dma_regs.h        #include "regs/dma_regs.h" in firmware
#
# before TARGET is compiled, and adds the folder to its include directories. Paths are relative to
# the calling CMakeLists.txt; the folder under generated/ is the one in the project. The target
# heddle::register_headers, to which firmware links, gives regs/ of all files so far and to come.
# Needs the target heddle::regs alone: works in the tree and with an installed package.

if(NOT TARGET heddle_register_headers)
  add_library(heddle_register_headers INTERFACE)
  add_library(heddle::register_headers ALIAS heddle_register_headers)
  target_include_directories(heddle_register_headers INTERFACE
    $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/generated/sw>)
endif()

function(heddle_add_registers target)
  set(root ${CMAKE_BINARY_DIR}/generated)
  foreach(file IN LISTS ARGN)
    get_filename_component(file ${file} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    get_filename_component(folder ${file} DIRECTORY)
    get_filename_component(name ${file} NAME)
    if(NOT name MATCHES "^(.+)\\.regs\\.yaml$")
      message(FATAL_ERROR "heddle_add_registers: ${file} is not called *.regs.yaml")
    endif()
    set(block ${CMAKE_MATCH_1})
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    if(folder MATCHES "^\\.\\.")  # outside the project there is no path to keep
      set(folder "")
    endif()
    string(APPEND folder "/")
    string(REGEX REPLACE "^/" "" folder "${folder}")

    set(stem ${root}/${folder}${block}_regs)
    set(firmware_header ${root}/sw/regs/${block}_regs.h)
    file(MAKE_DIRECTORY ${root}/${folder} ${root}/sw/regs)
    add_custom_command(
      OUTPUT ${stem}.hpp ${stem}.h ${stem}.md ${stem}.svd ${firmware_header}
      COMMAND heddle::regs ${file} --source ${folder}${name}
              --cpp ${stem}.hpp --c ${stem}.h --markdown ${stem}.md --svd ${stem}.svd
      COMMAND ${CMAKE_COMMAND} -E copy ${stem}.h ${firmware_header}
      DEPENDS ${file} heddle::regs
      COMMENT "Generating registers of ${block}"
      VERBATIM)
    add_custom_target(${target}_${block}_regs DEPENDS ${stem}.hpp ${firmware_header})
    set_property(TARGET ${target} APPEND PROPERTY
      HEDDLE_FIRMWARE_REGISTER_HEADERS ${firmware_header})
    add_dependencies(${target} ${target}_${block}_regs)
    add_dependencies(heddle_register_headers ${target}_${block}_regs)
  endforeach()
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${root}>)
endfunction()
