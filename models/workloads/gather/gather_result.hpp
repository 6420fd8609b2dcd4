// Figures of one gather as people and stats.json see them: speed-up over software that sends
// everything, and how the tail node, the last to finish, spent its link.
//
//   speed-up = traffic reduction x utilization          (binds Tables 7 and 8 of NetSparse)
//
// SUOpt, the software that the speed-up is over, sends every property to every node, without
// headers, latency or overlap (NetSparse 8.1).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "models/workloads/gather/gather_figures.hpp"
#include "models/workloads/gather/tail_path.hpp"

namespace heddle {

struct gather_result {
  double seconds = 0;
  double all_to_all = 0;         // s, SUOpt
  gather_table_row table;        // of the tail node
  double filtered = 0;           // filtered and coalesced, of the remote nonzeros; tail node
  double requests_a_packet = 0;  // received by the tail node
  double hit_rate = 0;           // of the caches of all racks
  double tail_hit_rate = 0;      // of the requests of the tail node in them
  double goodput_law = 0;        // goodput over utilization, over what the law says
  std::size_t tail = 0;          // node
  gather_bound bound;            // of all nodes
  gather_bound tail_bound;       // what the tail's time is bound by, and how far
  tail_path path;
  std::vector<double> times;  // s, by node
  gather_figures figures;
};

struct gather_result_inputs {
  gather_figures figures;
  double seconds = 0;
  std::vector<double> times;  // s, by node
  bool is_concatenated = true;
  std::uint64_t length = 0;
  double everything = 0;  // bytes of the properties of all other nodes
  gather_machine machine;
};
gather_result result_of(const gather_result_inputs& of);

void write_json(const gather_result& result, nlohmann::ordered_json& row);

}  // namespace heddle
