// A flit_switch with a terminal of traffic at each port, configured like the reference
// simulator's star, run once.
#pragma once

#include <cstdint>
#include <string>

#include "tests/fidelity/traffic_run.hpp"

namespace heddle {

struct star_configuration {
  int ports = 8;
  int packet_flits = 9;
  int vcs = 4;
  int pipeline = 4;
  int buffer_flits = 8;     // of each VC
  int channel_latency = 1;  // cycles, as the reference counts them
  std::string pattern = "uniform";
  double rate = 0.1;  // flits a node and cycle
  traffic_window window;
};

struct star_result : traffic_figures {
  std::uint64_t flits = 0;
};

// Once a process: the kernel elaborates only once. Drains the network unless `stops_early`, which
// leaves the packets that are under way after the cooldown out of the latencies.
star_result run_star(const star_configuration& c, bool stops_early);

}  // namespace heddle
