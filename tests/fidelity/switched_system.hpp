// A netlist of switches of flits and terminals, run once.
#pragma once

#include <string>
#include <vector>

#include "tests/fidelity/traffic_run.hpp"

namespace heddle {

struct switched_system {
  std::string netlist;
  std::vector<netlist_override> overrides;
  traffic_window window;
  bool stops_early = false;  // leaves out what is under way after the cooldown
};

// Once a process: the kernel elaborates only once.
traffic_figures run_switched(const switched_system& system);

}  // namespace heddle
