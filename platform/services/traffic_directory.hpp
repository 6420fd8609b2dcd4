// Every terminal of synthetic traffic, for results: models that have some enter themselves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/time/fs_time.hpp"
#include "platform/unit/statistic.hpp"

namespace heddle {

struct traffic_terminal {
  std::string unit;    // path
  double offered = 0;  // flits a cycle
  std::uint64_t packet_flits = 1;
  fs_t cycle = 0, window = 0;                  // the measurement lasts that long
  const statistic* accepted = nullptr;         // flits that arrived within the window
  const statistic* packets = nullptr;          // measured ones; of these are ...
  const statistic* latency = nullptr;          // ... the sum, creation to last flit
  const statistic* network_latency = nullptr;  // ... the sum, from leaving the source's queue
  const statistic* min_network_latency = nullptr;
  const statistic* hops = nullptr;  // ... the sum; null where nobody counts them
};

// One per run: simulation::service<traffic_directory>().
struct traffic_directory {
  std::vector<traffic_terminal> terminals;
};

}  // namespace heddle
