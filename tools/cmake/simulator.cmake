# heddle_link_simulator(TARGET): links all units that come with Heddle. Units register themselves
# from static initializers that nothing refers to, so their archives are linked whole.
# The program's HAL is there for firmware that it loads as a shared object. A program outside finds
# the netlists of the installed package.
function(heddle_link_simulator target)
  target_link_libraries(${target} PRIVATE heddle::models heddle::transactors heddle::platform)
  set_property(TARGET ${target} PROPERTY LINK_LIBRARY_OVERRIDE
    "WHOLE_ARCHIVE,heddle::models,heddle::transactors,heddle_models,heddle_transactors")
  target_link_options(${target} PRIVATE
    "LINKER:--undefined=hal_read32" "LINKER:--export-dynamic-symbol=hal_*")
  if(heddle_netlists)  # set by the package alone
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}_netlists.cpp)
    file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [=[
#include "platform/netlist/installed_files.hpp"

[[maybe_unused]] static const bool is_added =
    (heddle::add_netlist_folder("@heddle_netlists@"), true);
]=])
    target_sources(${target} PRIVATE ${source})
  endif()
endfunction()
