#include "models/workloads/gather/gather_result.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace heddle {
namespace {

double ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}
double ratio(std::uint64_t part, std::uint64_t whole) {
  return ratio(static_cast<double>(part), static_cast<double>(whole));
}

// How many nodes are active from which share of the last one's time on.
nlohmann::ordered_json active_json(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  auto active = nlohmann::ordered_json::array({{{"share", 0}, {"nodes", times.size()}}});
  for (std::size_t i = 0; i < times.size(); ++i)
    if (i + 1 == times.size() || times[i + 1] != times[i])
      active.push_back({{"share", times[i] / times.back()}, {"nodes", times.size() - i - 1}});
  return active;
}

void write_totals(const gather_result& result, nlohmann::ordered_json& row) {
  const gather_node_figures sum = result.figures.sum();
  row["suopt_s"] = result.all_to_all;
  row["speedup"] = result.table.speed_up;
  row["local"] = sum.local;
  row["remote"] = sum.remote();
  row["filtered"] = sum.filtered;
  row["coalesced"] = sum.coalesced;
  row["issued"] = sum.issued;
  row["served"] = sum.served;
  row["responses"] = sum.responses;
  row["cache_hits"] = result.figures.racks.hits;
  row["cache_misses"] = result.figures.racks.misses;
  row["cache_inserts"] = result.figures.racks.inserts;
  row["cache_evictions"] = result.figures.racks.evictions;
  row["hit_rate"] = result.hit_rate;
  row["orphans"] = sum.orphans;
  row["failures"] = sum.failures;
  row["packets"] = sum.request_packets + sum.response_packets;
}

// Figures of the node that finishes last.
void write_tail(const gather_result& result, nlohmann::ordered_json& tail) {
  tail["node"] = result.tail;
  tail["goodput"] = result.table.goodput;
  tail["utilization"] = result.table.utilization;
  tail["traffic_reduction"] = result.table.traffic_reduction;
  tail["filtered_coalesced"] = result.filtered;
  tail["requests_a_packet"] = result.requests_a_packet;
  tail["hit_rate"] = result.tail_hit_rate;
  tail["goodput_law"] = result.goodput_law;
  tail["speedup_law"] =
      ratio(result.table.traffic_reduction * result.table.utilization, result.table.speed_up);
  tail["bound_by"] = result.tail_bound.reason;
  tail["bound_s"] = result.tail_bound.seconds;
  write_json(result.path, tail);
}

nlohmann::ordered_json nodes_json(const gather_result& result) {
  auto nodes = nlohmann::ordered_json::array();
  for (std::size_t node = 0; node < result.times.size(); ++node) {
    const gather_node_figures& each = result.figures.nodes[node];
    nodes.push_back({{"time_s", result.times[node]},
                     {"local", each.local},
                     {"filtered", each.filtered},
                     {"coalesced", each.coalesced},
                     {"issued", each.issued},
                     {"served", each.served},
                     {"sent_bytes", each.sent_bytes},
                     {"received_bytes", each.received_bytes},
                     {"property_bytes", each.property_bytes},
                     {"received_packets", each.received_packets},
                     {"received_requests", each.received_requests},
                     {"stall_lsq_s", seconds(each.stall_lsq)},
                     {"stall_pending_s", seconds(each.stall_pending)},
                     {"stall_tx_s", seconds(each.stall_tx)}});
  }
  return nodes;
}

}  // namespace

gather_result result_of(const gather_result_inputs& of) {
  gather_result result;
  result.tail = static_cast<std::size_t>(std::max_element(of.times.begin(), of.times.end()) -
                                         of.times.begin());
  const gather_node_figures& tail = of.figures.nodes[result.tail];
  result.seconds = of.seconds;
  result.all_to_all = of.everything / of.machine.link;
  result.table = table_row_of(tail, of.everything, of.machine.link, of.seconds);
  result.filtered = ratio(tail.filtered + tail.coalesced, tail.remote());
  result.requests_a_packet = ratio(tail.received_requests, tail.received_packets);
  result.hit_rate = ratio(of.figures.racks.hits, of.figures.racks.hits + of.figures.racks.misses);
  result.tail_hit_rate = ratio(tail.cache_hits, tail.cache_hits + tail.cache_misses);
  if (tail.received_bytes > 0)
    result.goodput_law = ratio(tail.property_bytes, tail.received_bytes) /
                         goodput_by_law(tail, of.length, of.is_concatenated);
  result.bound = lower_bound_of(loads_of(of.figures), of.machine);
  gather_figures alone;
  alone.nodes.push_back(tail);
  result.tail_bound = lower_bound_of(loads_of(alone), of.machine);
  result.path = tail_path_of(of.figures, result.tail, of.times[result.tail]);
  result.times = of.times;
  result.figures = of.figures;
  return result;
}

void write_json(const gather_result& result, nlohmann::ordered_json& row) {
  write_totals(result, row);
  write_tail(result, row["tail"]);
  row["bound"] = {
      {"by", result.bound.reason}, {"node", result.bound.node}, {"seconds", result.bound.seconds}};
  row["active"] = active_json(result.times);
  row["nodes"] = nodes_json(result);
}

}  // namespace heddle
