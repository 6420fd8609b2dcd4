// A mesh of textbook routers with a traffic node at each, configured like the reference
// simulator's, run once.
#pragma once

#include "tests/fidelity/traffic_run.hpp"

namespace heddle {

struct mesh_configuration {
  int size = 8;  // columns and rows
  int packet_flits = 1;
  int vcs = 4;
  int buffer = 8;   // flits of each VC
  int channel = 1;  // cycles, as the reference counts them
  char pattern[16] = "uniform";
  double rate = 0.1;  // flits/cycle/node
  traffic_window window;
};

struct mesh_result : traffic_figures {
  double hops = 0;  // average
};

// `stops_early`: at the end of the cooldown instead of when the network is empty.
mesh_result run_mesh(const mesh_configuration& c, bool stops_early);

}  // namespace heddle
