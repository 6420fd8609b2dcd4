// One switch with `core: fifo` and a traffic node at each port, configured like the reference
// simulator's star, run once.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

struct star_configuration {
  int ports = 8;
  int packet_flits = 9;
  int vcs = 4;
  int pipeline = 4;
  int buffer_flits = 8;     // of each VC
  int channel_latency = 1;  // cycles, as the reference counts them
  std::string pattern = "uniform";
  double rate = 0.1;                                                 // flits a node and cycle
  std::uint64_t warmup = 5'000, measure = 20'000, cooldown = 2'000;  // cycles
};

// In cycles, and flits a node and cycle.
struct star_result {
  double latency = 0;
  double network_latency = 0;
  double min_network_latency = 0;
  double accepted = 0;
  std::uint64_t flits = 0;
};

// Once a process: the kernel elaborates only once. Drains the network unless `stops_early`, which
// leaves the packets that are under way after the cooldown out of the latencies.
star_result run_star(const star_configuration& c, bool stops_early);

}  // namespace heddle
