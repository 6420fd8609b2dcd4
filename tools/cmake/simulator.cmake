# heddle_link_simulator(TARGET): links all units that come with Heddle. Units register themselves
# from static initializers that nothing refers to, so their archives are linked whole.
# The program's HAL is there for firmware that it loads as a shared object.
function(heddle_link_simulator target)
  target_link_libraries(${target} PRIVATE heddle::models heddle::transactors heddle::platform)
  set_property(TARGET ${target} PROPERTY LINK_LIBRARY_OVERRIDE
    "WHOLE_ARCHIVE,heddle::models,heddle::transactors,heddle_models,heddle_transactors")
  target_link_options(${target} PRIVATE
    "LINKER:--undefined=hal_read32" "LINKER:--export-dynamic-symbol=hal_*")
endfunction()
