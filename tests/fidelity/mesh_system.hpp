// A mesh of textbook routers with a traffic node at each, configured like the reference
// simulator's, run once.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

struct mesh_configuration {
  int size = 8;  // columns and rows
  int packet_flits = 1;
  int vcs = 4;
  int buffer = 8;   // flits of each VC
  int channel = 1;  // cycles, as the reference counts them
  char pattern[16] = "uniform";
  double rate = 0.1;             // flits/cycle/node
  std::uint64_t warmup = 5'000;  // cycles
  std::uint64_t measure = 20'000;
  std::uint64_t cooldown = 2'000;
};

struct mesh_result {
  double latency = 0;  // cycles, averages
  double network_latency = 0;
  double hops = 0;
  double min_network_latency = 0;
  double accepted = 0;  // flits/cycle/node
  std::uint64_t misdelivered = 0;
};

// `stops_early`: at the end of the cooldown instead of when the network is empty.
mesh_result run_mesh(const mesh_configuration& c, bool stops_early);

}  // namespace heddle
