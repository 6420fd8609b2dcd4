// What a gather did, node by node, out of the statistics of the hardware: differences between two
// instants. The laws that bind them are checked in every run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/sparse/gather_laws.hpp"
#include "models/workloads/gather/gather_links.hpp"
#include "models/workloads/gather/gather_system.hpp"

namespace heddle {

struct gather_node_figures {
  std::uint64_t local = 0, filtered = 0, coalesced = 0, issued = 0, responses = 0, served = 0;
  std::uint64_t orphans = 0, failures = 0;
  std::uint64_t cache_hits = 0, cache_misses = 0;  // of its requests, in racks
  std::uint64_t request_packets = 0, response_packets = 0, received_packets = 0;
  std::uint64_t received_requests = 0;  // PRs of both classes
  std::uint64_t sent_bytes = 0, received_bytes = 0, property_bytes = 0;
  std::uint64_t link_bytes = 0;     // of its link, outwards: the same as sent
  std::uint64_t link_in_bytes = 0;  // what the other end of it sent: the same as received
  fs_t stall_lsq = 0, stall_pending = 0, stall_tx = 0;
  double farthest = 0;  // s; see farthest_request.hpp

  std::uint64_t remote() const { return filtered + coalesced + issued; }
};

struct gather_rack_figures {
  std::uint64_t hits = 0, misses = 0, inserts = 0, evictions = 0;
};

struct gather_figures {
  std::vector<gather_node_figures> nodes;
  std::vector<std::vector<rig_client_times>> units;  // by node and unit
  std::vector<std::vector<std::uint32_t>> asked;     // requests by node and owner
  gather_rack_figures racks;                         // of all together
  std::vector<gather_link> links;                    // of switches
  std::uint64_t bytes_of_others = 0;  // in the same network: above 0, the gather shares it

  gather_node_figures sum() const;
};

gather_figures figures_of(const gather_system& system);
gather_figures difference(const gather_figures& after, const gather_figures& before);

// What a gather of that many nonzeros, properties of that many bytes and that concatenation must
// have done; "" when it has, else what is wrong.
struct gather_expectation {
  std::vector<std::uint64_t> nonzeros;  // by node
  std::uint64_t length = 0;
  double everything = 0;                 // bytes of the properties of all other nodes
  bool is_concatenated = true;           // what nodes send
  bool is_received_concatenated = true;  // what they receive: by their racks, too
  double seconds = 0;
  gather_machine machine;
};
std::string broken_law(const gather_figures& of, const gather_expectation& expected);

// What the source prints of a node (Tables 7 and 8), over a run of so many seconds.
struct gather_table_row {
  double speed_up = 0;           // over SUOpt, which sends everything at the full rate of the link
  double goodput = 0;            // share of the node's link that brought properties
  double utilization = 0;        // share of it that brought anything
  double traffic_reduction = 0;  // SUOpt's bytes over those that the node received
};
gather_table_row table_row_of(const gather_node_figures& node, double everything, double link,
                              double seconds);

// The share of a link's received bytes that are properties, goodput over utilization, by the law
// for a node that is asked as much as it asks (NetSparse Table 7, 6.1.1).
double goodput_by_law(const gather_node_figures& of, std::uint64_t length, bool is_concatenated,
                      double requests_a_property = 2);

std::vector<gather_load> loads_of(const gather_figures& of);

}  // namespace heddle
