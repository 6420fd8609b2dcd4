// A netlist with terminals of synthetic traffic, run once. Once a process: the kernel elaborates
// only once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/traffic/traffic_data_sheet.hpp"
#include "platform/netlist/planner.hpp"

namespace heddle {

struct traffic_window {
  std::uint64_t warmup = 5'000, measure = 20'000, cooldown = 2'000;  // cycles of 1 ns
};

struct traffic_figures {
  double latency = 0;  // cycles, averages
  double network_latency = 0;
  double min_network_latency = 0;
  double accepted = 0;  // flits a node and cycle
};

// Of all terminals together.
traffic_figures figures_of(const std::vector<const arrival_counters*>& terminals,
                           const traffic_window& window);

// Drains the network unless `stops_early`, which leaves the packets that are under way after the
// cooldown out of the latencies; then calls `summarize`.
void run_traffic(const std::string& netlist, std::vector<netlist_override> overrides,
                 const traffic_window& window, bool stops_early,
                 const std::function<void(const simulation&)>& summarize);

}  // namespace heddle
