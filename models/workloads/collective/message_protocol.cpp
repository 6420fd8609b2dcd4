#include "models/workloads/collective/message_protocol.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/workloads/collective/vectors_of_ranks.hpp"
#include "sw/drivers/line.h"
#include "transactors/fabric/fabric.hpp"
#include "transactors/packetizer/packetizer.hpp"

namespace heddle {
namespace {

// One message: the next ones wait for the vector unit, which takes them out one by one. Beyond it
// waiting for acknowledgments is faster; writes that stay in order are so at any length.
constexpr std::uint64_t longest_chunk_in_lines = LINES_OF_MESSAGE * LINE_DATA;

std::vector<endpoint_id> endpoints_of(const workload_cores& cores, const fabric& net) {
  std::vector<endpoint_id> found;
  for (const rank_core* each : cores.ranks) {
    const address_window* const window = net.find_window(each->resources().window);
    if (window) found.push_back(window->endpoint);  // otherwise ranks share a memory
  }
  return found;
}

// "" where whatever one rank writes to another takes one way.
std::string obstacle_to_order(const workload_cores& cores, simulation& sim) {
  fabric& net = sim.service<fabric>();
  const std::vector<endpoint_id> endpoints = endpoints_of(cores, net);
  for (const endpoint_id from : endpoints) {
    const unit_routes& routes = net.routes(*net.endpoint(from).owner);
    for (const endpoint_id to : endpoints)
      if (from != to && !routes.ignores_address(to))
        return fmt::format("what {} writes to {} takes several paths, by its address",
                           net.endpoint(from).owner->path(), net.endpoint(to).owner->path());
  }
  return {};
}

// "" where vector units take the longest of the messages.
std::string obstacle_of_vectors(const collective_case& of, const workload_cores& cores,
                                const simulation& sim) {
  if (of.ranks < 2) return {};
  const std::uint64_t element = size_of(of.type);
  const std::uint64_t chunk = (of.bytes / element + of.ranks - 1) / of.ranks * element;
  const std::uint64_t longest = std::min(chunk, longest_chunk_in_lines);
  for (const vector_unit* each : vectors_of(cores, sim))
    if (each->block_bytes() < longest)
      return fmt::format(
          "{} takes a message as one block of up to {} B, messages have up to {} B: "
          "`block` has to be that or more",
          each->path(), each->block_bytes(), longest);
  return {};
}

// "" where packets consist of whole lines, and the ranks can take those of a message.
std::string obstacle_to_lines(const collective_algorithm& algorithm, const collective_case& of,
                              const workload_cores& cores, simulation& sim) {
  if (!algorithm.sends_lines(of.collective))
    return fmt::format(
        "{} of {} has no messages in lines: only a ring of all-reduce, "
        "reduce-scatter or all-gather has",
        algorithm.name, name_of(of.collective));
  if (of.is_chained) return "descriptors wait for counters, not for lines: choose `steps: core`";
  fabric& net = sim.service<fabric>();
  for (const endpoint_id each : endpoints_of(cores, net)) {
    const auto* const through = dynamic_cast<const packetizer*>(net.endpoint(each).owner);
    if (through && through->mtu() % LINE_BYTES != 0)
      return fmt::format("packets of {} have {} B, no whole lines of {} B", through->path(),
                         through->mtu(), LINE_BYTES);
  }
  return obstacle_of_vectors(of, cores, sim);
}

bool is_done_by_ranks(const collective_algorithm& algorithm) {
  return algorithm.is_software() && algorithm.ranks != rank_rule::tiles_of_a_mesh;
}

flag_protocol chosen_for(const collective_algorithm& algorithm, const collective_case& of,
                         const workload_cores& cores, simulation& sim) {
  if (obstacle_to_order(cores, sim).empty()) return flag_protocol::ordered;
  const bool is_short = of.bytes <= longest_chunk_in_lines * of.ranks;
  return is_short && obstacle_to_lines(algorithm, of, cores, sim).empty()
             ? flag_protocol::in_packet
             : flag_protocol::acknowledged;
}

}  // namespace

std::string obstacle_to_protocol(const collective_config& config,
                                 const collective_algorithm& algorithm, const collective_case& of,
                                 const workload_cores& cores, simulation& sim) {
  if (!is_done_by_ranks(algorithm)) return {};
  if (config.protocol == flag_protocol::ordered) {
    const std::string obstacle = obstacle_to_order(cores, sim);
    if (obstacle.empty()) return {};
    return fmt::format(
        "`ordered` needs a fabric that keeps writes in order: {}; choose `acknowledged` or "
        "`in_packet`",
        obstacle);
  }
  if (config.protocol != flag_protocol::in_packet) return {};
  const std::string obstacle = obstacle_to_lines(algorithm, of, cores, sim);
  return obstacle.empty() ? "" : fmt::format("`in_packet`: {}", obstacle);
}

flag_protocol protocol_of(const collective_config& config, const collective_algorithm& algorithm,
                          const collective_case& of, const workload_cores& cores, simulation& sim) {
  if (!is_done_by_ranks(algorithm)) return flag_protocol::acknowledged;
  const std::string obstacle = obstacle_to_protocol(config, algorithm, of, cores, sim);
  if (!obstacle.empty()) throw user_error(config.protocol_place, obstacle);
  return config.protocol == flag_protocol::chosen ? chosen_for(algorithm, of, cores, sim)
                                                  : config.protocol;
}

std::uint32_t job_flags_of(flag_protocol protocol) {
  switch (protocol) {
    case flag_protocol::ordered:
      return BOOT_JOB_ORDERED;
    case flag_protocol::in_packet:
      return BOOT_JOB_IN_PACKET;
    default:
      return 0;
  }
}

}  // namespace heddle
