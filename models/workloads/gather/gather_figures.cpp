#include "models/workloads/gather/gather_figures.hpp"

#include <fmt/format.h>

#include <cmath>

#include "transactors/gather/gather_format.hpp"

namespace heddle {
namespace {

using node = gather_node_figures;
constexpr std::uint64_t node::*node_counts[] = {&node::local,
                                                &node::filtered,
                                                &node::coalesced,
                                                &node::issued,
                                                &node::responses,
                                                &node::served,
                                                &node::orphans,
                                                &node::failures,
                                                &node::cache_hits,
                                                &node::cache_misses,
                                                &node::request_packets,
                                                &node::response_packets,
                                                &node::received_packets,
                                                &node::received_requests,
                                                &node::sent_bytes,
                                                &node::received_bytes,
                                                &node::property_bytes,
                                                &node::link_bytes,
                                                &node::link_in_bytes,
                                                &node::stall_lsq,
                                                &node::stall_pending,
                                                &node::stall_tx};

using rack = gather_rack_figures;
constexpr std::uint64_t rack::*rack_counts[] = {&rack::hits, &rack::misses, &rack::inserts,
                                                &rack::evictions};

using unit = rig_client_times;
constexpr fs_t unit::*unit_times[] = {&unit::scan,    &unit::indices,  &unit::filter,
                                      &unit::pending, &unit::transmit, &unit::responses};

node figures_of(const rig& nic) {
  const rig_counters& count = nic.count();
  node of;
  of.local = count.local.raw();
  of.filtered = count.filtered.raw();
  of.coalesced = count.coalesced.raw();
  of.issued = count.issued.raw();
  of.responses = count.responses.raw();
  of.served = count.served.raw();
  of.orphans = count.orphans.raw();
  of.failures = count.failures.raw();
  of.request_packets = count.request_packets.raw();
  of.response_packets = count.response_packets.raw();
  of.received_packets = count.received_packets.raw();
  of.received_requests = count.received_requests.raw();
  of.sent_bytes = count.sent_bytes.raw();
  of.received_bytes = count.received_bytes.raw();
  of.property_bytes = count.property_bytes.raw();
  of.link_bytes = nic.port().counters().bytes.raw();
  of.link_in_bytes = nic.port().peer()->counters().bytes.raw();
  of.stall_lsq = count.stall_lsq.raw();
  of.stall_pending = count.stall_pending.raw();
  of.stall_tx = count.stall_tx.raw();
  return of;
}

// Conservation: nothing is lost, nothing comes from nowhere.
std::string broken_count(const gather_figures& of, const gather_expectation& expected) {
  for (std::size_t i = 0; i < of.nodes.size(); ++i) {
    const node& each = of.nodes[i];
    if (each.failures == 0 && each.local + each.remote() != expected.nonzeros[i])
      return fmt::format(
          "node {}: {} local, {} filtered, {} coalesced and {} issued are not its {} "
          "nonzeros",
          i, each.local, each.filtered, each.coalesced, each.issued, expected.nonzeros[i]);
    if (each.failures == 0 && each.responses != each.issued)
      return fmt::format("node {}: {} requests, {} responses", i, each.issued, each.responses);
  }
  const node sum = of.sum();
  if (sum.failures == 0 && sum.issued != sum.served + of.racks.hits)
    return fmt::format("{} requests, but {} served and {} cache hits", sum.issued, sum.served,
                       of.racks.hits);
  if (sum.cache_hits != of.racks.hits)
    return fmt::format("{} cache hits of nodes, {} of racks", sum.cache_hits, of.racks.hits);
  return {};
}

// Bytes on the links of the nodes are those of the formula.
std::string broken_bytes(const gather_figures& of, const gather_expectation& expected) {
  const std::uint64_t shared =
      gather_format::upper_bytes + gather_format::header_bytes(!expected.is_concatenated);
  const std::uint64_t shared_received =
      gather_format::upper_bytes + gather_format::header_bytes(!expected.is_received_concatenated);
  const bool is_lossless = of.sum().failures == 0;
  for (std::size_t i = 0; i < of.nodes.size(); ++i) {
    const node& each = of.nodes[i];
    if (each.failures > 0 || each.orphans > 0) continue;
    const std::uint64_t bytes = shared * (each.request_packets + each.response_packets) +
                                gather_format::request_bytes * (each.issued + each.served) +
                                expected.length * each.served;
    if (bytes != each.sent_bytes || bytes != each.link_bytes)
      return fmt::format("node {}: {} B by the formula, {} B sent, {} B on the link", i, bytes,
                         each.sent_bytes, each.link_bytes);
    const std::uint64_t received = shared_received * each.received_packets +
                                   gather_format::request_bytes * each.received_requests +
                                   each.property_bytes;
    if (received != each.received_bytes || (is_lossless && received != each.link_in_bytes))
      return fmt::format("node {}: {} B by the formula, {} B received, {} B sent to it", i,
                         received, each.received_bytes, each.link_in_bytes);
  }
  return {};
}

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// The two laws that bind the source's tables, for every node and not for its tail alone.
std::string broken_table(const gather_figures& of, const gather_expectation& expected) {
  constexpr double rounding = 1e-9;
  for (std::size_t i = 0; i < of.nodes.size(); ++i) {
    const node& each = of.nodes[i];
    if (each.property_bytes == 0 || expected.seconds == 0) continue;
    const gather_table_row row =
        table_row_of(each, expected.everything, expected.machine.link, expected.seconds);
    const double product = row.traffic_reduction * row.utilization;
    if (std::abs(product / row.speed_up - 1) > rounding)
      return fmt::format("node {}: {:.6g} x less traffic x {:.6g} of the line is not {:.6g} x", i,
                         row.traffic_reduction, row.utilization, row.speed_up);
    const double requests_a_property =
        ratio(each.received_requests * expected.length, each.property_bytes);
    const double law = goodput_by_law(each, expected.length, expected.is_received_concatenated,
                                      requests_a_property);
    if (std::abs(row.goodput / row.utilization / law - 1) > rounding)
      return fmt::format("node {}: goodput {:.6g} of {:.6g} is not {:.6g} of it", i, row.goodput,
                         row.utilization, law);
  }
  return {};
}

}  // namespace

gather_node_figures gather_figures::sum() const {
  node all;
  for (const node& each : nodes)
    for (const auto count : node_counts) all.*count += each.*count;
  return all;
}

gather_figures figures_of(const gather_system& system) {
  gather_figures of;
  for (const gather_node& each : system.nodes) {
    of.nodes.push_back(figures_of(*each.nic));
    of.asked.push_back(each.nic->asked());
    std::vector<rig_client_times>& units = of.units.emplace_back();
    for (std::uint32_t unit = 0; unit < each.nic->units(); ++unit)
      units.push_back(each.nic->times_of(unit));
  }
  of.links = links_of(system);
  of.bytes_of_others = bytes_of_others(system);
  for (const tor* each : system.racks) {
    for (std::uint32_t i = 0; i < of.nodes.size(); ++i) {
      of.nodes[i].cache_hits += each->use_of(i).hits;
      of.nodes[i].cache_misses += each->use_of(i).misses;
    }
    of.racks.hits += each->count().hits.raw();
    of.racks.misses += each->count().misses.raw();
    of.racks.inserts += each->count().inserts.raw();
    of.racks.evictions += each->count().evictions.raw();
  }
  return of;
}

gather_figures difference(const gather_figures& after, const gather_figures& before) {
  gather_figures of = after;
  for (std::size_t i = 0; i < of.nodes.size(); ++i) {
    for (const auto count : node_counts) of.nodes[i].*count -= before.nodes[i].*count;
    for (std::size_t owner = 0; owner < of.asked[i].size(); ++owner)
      of.asked[i][owner] -= before.asked[i][owner];
    for (std::size_t unit = 0; unit < of.units[i].size(); ++unit)
      for (const auto time : unit_times) of.units[i][unit].*time -= before.units[i][unit].*time;
  }
  for (const auto count : rack_counts) of.racks.*count -= before.racks.*count;
  of.bytes_of_others -= before.bytes_of_others;
  for (std::size_t i = 0; i < of.links.size(); ++i) {
    of.links[i].expected -= before.links[i].expected;
    of.links[i].counted -= before.links[i].counted;
  }
  return of;
}

std::vector<gather_load> loads_of(const gather_figures& of) {
  std::vector<gather_load> loads;
  for (const node& each : of.nodes)
    loads.push_back({each.local + each.remote(), each.issued, each.received_bytes, each.sent_bytes,
                     each.farthest});
  return loads;
}

gather_table_row table_row_of(const gather_node_figures& node, double everything, double link,
                              double seconds) {
  const double capacity = link * seconds;
  gather_table_row row;
  if (capacity == 0) return row;
  row.speed_up = everything / capacity;
  row.goodput = static_cast<double>(node.property_bytes) / capacity;
  row.utilization = static_cast<double>(node.link_in_bytes) / capacity;
  if (node.received_bytes > 0)
    row.traffic_reduction = everything / static_cast<double>(node.received_bytes);
  return row;
}

double goodput_by_law(const gather_node_figures& of, std::uint64_t length, bool is_concatenated,
                      double requests_a_property) {
  const double requests = is_concatenated ? ratio(of.received_requests, of.received_packets) : 0;
  return goodput_of_received(length, requests, requests_a_property);
}

std::string broken_law(const gather_figures& of, const gather_expectation& expected) {
  std::string broken = broken_count(of, expected);
  if (broken.empty()) broken = broken_bytes(of, expected);
  const node sum = of.sum();
  if (sum.failures == 0 && sum.orphans == 0) {  // no packet was lost, none is on its way
    if (broken.empty()) broken = broken_table(of, expected);
    if (broken.empty() && of.bytes_of_others == 0) broken = broken_link(of.links);
  }
  if (!broken.empty()) return broken;
  const gather_bound bound = lower_bound_of(loads_of(of), expected.machine);
  if (expected.seconds < bound.seconds)
    return fmt::format("{:.4g} us beat the bound of {:.4g} us by {} of node {}",
                       1e6 * expected.seconds, 1e6 * bound.seconds, bound.reason, bound.node);
  return {};
}

}  // namespace heddle
