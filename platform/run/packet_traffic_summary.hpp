// What synthetic traffic in packets found out about a network: accepted against offered load, and
// latency. A window that would last longer ends when somebody ends the run, or the last core does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/run/run_extent.hpp"
#include "platform/services/traffic_directory.hpp"

namespace heddle {

// Terminals whose paths differ in their indices alone are those of one network.
struct packet_traffic_summary {
  std::string network;  // "leaf[*].load[*]"
  std::uint64_t terminals = 0;
  double offered = 0, accepted = 0;              // bytes a second on the wire, of all together
  double offered_share = 0, accepted_share = 0;  // of their links
  fs_t window = 0;
  std::uint64_t packets = 0, reordered = 0;
  // Seconds, of packets created within the window; 0 without any. 50 and 99 are percentiles.
  double latency = 0, network_latency = 0, min_network_latency = 0;
  double latency_50 = 0, latency_99 = 0, max_latency = 0;
  bool is_closed_loop = false;
  bool has_one_window = true;  // else `accepted` is the sum of the terminals' own rates
  // The terminals offer something, and of all that they exchange traffic with, accepted lies below
  // offered by more than chance allows. Not judged where windows differ or a loop is closed.
  bool is_saturated = false;
  std::string missing;  // why no packet was measured; "" where some were
};

std::vector<packet_traffic_summary> summarize_packets(const traffic_directory& traffic,
                                                      const run_extent& run);

// A row a network; "" where there is no synthetic traffic in packets.
std::string packet_traffic_table(const std::vector<packet_traffic_summary>& networks);

}  // namespace heddle
