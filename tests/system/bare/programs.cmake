# Programs for the bare core, in assembly: bare/NAME.elf for RV64, bare/NAME32.elf for RV32.
function(heddle_add_bare_program name source)
  cmake_parse_arguments(PARSE_ARGV 2 bare "RV32" "" "FLAGS")
  set(march rv64gc)
  set(mabi lp64)
  if(bare_RV32)
    set(march rv32gc)
    set(mabi ilp32)
  endif()
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/bare)
  set(program ${CMAKE_CURRENT_BINARY_DIR}/bare/${name}.elf)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/bare)
  add_custom_command(OUTPUT ${program}
    COMMAND ${HEDDLE_RV64_CC} -march=${march} -mabi=${mabi} -nostdlib -static -Wa,-I${folder}
            ${bare_FLAGS} -Wl,--no-warn-rwx-segments -T ${folder}/bare.ld
            ${folder}/${source}.S -o ${program}
    DEPENDS ${folder}/${source}.S ${folder}/bare.inc ${folder}/fabric.inc ${folder}/bare.ld VERBATIM)
  target_sources(heddle_bare_programs PRIVATE ${program})
endfunction()

add_custom_target(heddle_bare_programs)
foreach(source IN ITEMS floats interrupts memory misaligned registers traps)
  heddle_add_bare_program(${source} ${source})
  heddle_add_bare_program(${source}32 ${source} RV32)
endforeach()
heddle_add_bare_program(served misaligned FLAGS -DSERVED)
heddle_add_bare_program(served32 misaligned RV32 FLAGS -DSERVED)
heddle_add_bare_program(console console)
heddle_add_bare_program(contend.rv64 contend)
heddle_add_bare_program(far_code.rv64 far_code)
heddle_add_bare_program(forever forever)
