# `cmake --install` puts down what a project outside needs to bring units, netlists and firmware of
# its own:
#
#   bin/                 heddle, heddle_regs
#   include/heddle/      headers as they lie in the tree: #include "platform/unit/unit.hpp"
#   include/heddle/sw/   what firmware includes: "hal/hal.h", "regs/dma_regs.h"
#   lib/                 the archives; lib/cmake/heddle for find_package(heddle)
#   lib/heddle/rv64, rv32  what firmware for the RISC-V cores links to, where the cross compiler was
#   share/heddle/yaml    the netlists with parts, matrices, claims and their reference
#   share/heddle/firmware  apps for the RV64 core; in rv32 for the RV32 core
#   share/doc/heddle, share/man/man1, completions of bash, zsh and fish: `heddle docs` writes them
#   share/heddle/firmware.mk  how a Makefile outside builds firmware; check_globals.sh is its check
#
# tests/package builds such a project against the result.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
set(header_folder ${CMAKE_INSTALL_INCLUDEDIR}/heddle)

install(TARGETS heddle_text heddle_platform heddle_transactors heddle_models heddle_hal
                heddle_firmware heddle_all_firmware ${heddle_app_targets} heddle_regs
  EXPORT heddle_targets
  OBJECTS DESTINATION ${CMAKE_INSTALL_LIBDIR}/heddle)
install(TARGETS heddle EXPORT heddle_targets)
install(EXPORT heddle_targets NAMESPACE heddle:: DESTINATION ${package_folder})

install(DIRECTORY platform transactors models
  DESTINATION ${header_folder} FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY sw/hal sw/drivers sw/collectives sw/kernels
  DESTINATION ${header_folder}/sw FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${CMAKE_BINARY_DIR}/generated/models
  DESTINATION ${header_folder} FILES_MATCHING PATTERN "*_regs.hpp")
# generated/sw/regs also holds blocks of the tests, hence file by file.
get_target_property(firmware_register_headers heddle_models HEDDLE_FIRMWARE_REGISTER_HEADERS)
install(FILES ${firmware_register_headers} DESTINATION ${header_folder}/sw/regs)

if(HEDDLE_RV64_CC)
  install(FILES sw/start/firmware.ld sw/start/moving.ld sw/start/sections.ld
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/heddle)
  foreach(xlen 64 32)
    install(FILES ${heddle_riscv_folder}/rv${xlen}/libheddle_firmware.a
      DESTINATION ${CMAKE_INSTALL_LIBDIR}/heddle/rv${xlen})
  endforeach()
  # All that are built so far; those of the tests come later.
  get_property(programs_64 GLOBAL PROPERTY HEDDLE_RISCV_PROGRAMS_64)
  get_property(programs_32 GLOBAL PROPERTY HEDDLE_RISCV_PROGRAMS_32)
  install(FILES ${programs_64} DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle/firmware)
  install(FILES ${programs_32} DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle/firmware/rv32)
endif()
configure_file(tools/cmake/firmware.mk.in firmware.mk @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/firmware.mk tools/cmake/check_globals.sh
  DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle)

# What the program knows of itself: share/doc/heddle/heddle.html, man pages, completions.
set(docs_folder ${CMAKE_CURRENT_BINARY_DIR}/docs)
install(CODE "execute_process(COMMAND $<TARGET_FILE:heddle> docs ${docs_folder}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${docs_folder}/heddle.html DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${docs_folder}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${docs_folder}/completions/heddle.bash RENAME heddle
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${docs_folder}/completions/_heddle
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${docs_folder}/completions/heddle.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# Sweeps are read by tools/sweep, which is not installed.
install(DIRECTORY yaml/ DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle/yaml
  PATTERN sweeps EXCLUDE)
configure_package_config_file(tools/cmake/heddle-config.cmake.in heddle-config.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(heddle-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/heddle-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/heddle-config-version.cmake
  tools/cmake/registers.cmake tools/cmake/firmware.cmake tools/cmake/firmware_files.cmake tools/cmake/riscv.cmake
  tools/cmake/simulator.cmake
  DESTINATION ${package_folder})
