# heddle_link_simulator(TARGET): links all units that come with Heddle. Units register themselves
# from static initializers that nothing refers to, so their archives are linked whole.
function(heddle_link_simulator target)
  target_link_libraries(${target} PRIVATE heddle::models heddle::transactors heddle::platform)
  set_property(TARGET ${target} PROPERTY LINK_LIBRARY_OVERRIDE
    "WHOLE_ARCHIVE,heddle::models,heddle::transactors,heddle_models,heddle_transactors")
endfunction()
