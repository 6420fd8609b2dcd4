// What synthetic traffic found out about a network: accepted against offered load, and latency. A
// window that would last longer ends with the run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/run/run_extent.hpp"
#include "platform/services/traffic_directory.hpp"

namespace heddle {

// Terminals whose paths differ in their indices alone are those of one network.
struct traffic_summary {
  std::string network;  // "wide_node[*]"
  std::uint64_t terminals = 0;
  double offered = 0, accepted = 0;  // flits a terminal and cycle
  double cycle_s = 0;
  // Seconds and routers, of packets that were created within the window; 0 without any.
  double latency = 0, network_latency = 0, min_network_latency = 0, hops = 0;
  bool has_hops = false;
  bool has_one_window = true;  // else `accepted` is the mean of the terminals' own rates
  // The terminals offer something, and of all that they exchange traffic with, accepted lies below
  // offered by more than chance allows, or latency grows with time. Not judged where windows
  // differ.
  bool is_saturated = false;
  std::string missing;  // why no packet was measured; "" where some were
};

std::vector<traffic_summary> summarize(const traffic_directory& traffic, const run_extent& run);

// A row a network; "" where there is no synthetic traffic.
std::string traffic_table(const std::vector<traffic_summary>& networks);

}  // namespace heddle
