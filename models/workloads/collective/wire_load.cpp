#include "models/workloads/collective/wire_load.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "models/inc/multimem/multimem.hpp"
#include "models/workloads/collective/aggregator_network.hpp"
#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/endpoint_of_rank.hpp"
#include "platform/services/link_directory.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/workload/workload_kind.hpp"
#include "transactors/packet/packet_wires.hpp"
#include "transactors/packetizer/packetizer.hpp"

namespace heddle {
namespace {

// The links of the ranks of a job.
struct job_wires {
  std::vector<endpoint_wires> ranks;  // by rank; one without links has a rate of 0
  // The smallest among whoever makes packets for the job, ranks and devices in the network.
  double data = 1, response = 0;

  // Seconds for a byte of the tensor, of the busier direction of a rank's links.
  double seconds_of(std::size_t rank, const wire_load& load) const;
};

// A rank's data may be sent in packets of others, who read it.
double job_wires::seconds_of(std::size_t rank, const wire_load& load) const {
  if (ranks[rank].bytes_per_second == 0) return 0;
  const double out = load.out * data + load.in * response;
  const double in = load.in * data + load.out * response;
  return std::max(out, in) / ranks[rank].bytes_per_second;
}

// `has_devices`: those in the network make packets, too.
job_wires wires_of_job(const workload_cores& cores, simulation& sim, bool has_devices) {
  const auto& known = sim.service<link_directory>().endpoints;
  job_wires found;
  found.data = found.response = std::numeric_limits<double>::infinity();
  const auto take_format = [&](const endpoint_wires& of) {
    found.data = std::min(found.data, of.data);
    found.response = std::min(found.response, of.response);
  };
  for (const rank_core* each : cores.ranks) {
    const auto its = known.find(endpoint_unit_of(*each, sim));
    found.ranks.push_back(its == known.end() ? endpoint_wires() : its->second);
    if (its != known.end()) take_format(its->second);
  }
  for (const auto& [device, format] : known)
    if (has_devices && format.bytes_per_second == 0) take_format(format);
  return found;
}

// Threads load and store in packets of their own.
void take_packets_of_multimem(job_wires& wires, const workload_cores& cores, simulation& sim) {
  std::uint32_t payload = 0;
  for (const unit* each : sim.units())
    if (const auto* const multimem = dynamic_cast<const multimem_unit*>(each))
      payload =
          payload == 0 ? multimem->packet_bytes() : std::min(payload, multimem->packet_bytes());
  const auto* const through =
      dynamic_cast<const packetizer*>(endpoint_unit_of(*cores.ranks[0], sim));
  if (payload == 0 || !through) return;
  const packet_format& format = through->format();
  const endpoint_wires weight =
      wires_of_full_packets({std::min(payload, format.mtu), format.header, format.flit});
  wires.data = weight.data;
  wires.response = weight.response;
}

}  // namespace

double payload_rate_of(const workload_cores& cores, simulation& sim) {
  double least = std::numeric_limits<double>::infinity();
  for (const endpoint_wires& each : wires_of_job(cores, sim, false).ranks)
    if (each.bytes_per_second > 0) least = std::min(least, each.bytes_per_second / each.data);
  return least < std::numeric_limits<double>::infinity() ? least : 0;
}

double bytes_of_payload(const workload_cores& cores, simulation& sim) {
  const job_wires wires = wires_of_job(cores, sim, false);
  const double sum = wires.data + wires.response;
  return sum < std::numeric_limits<double>::infinity() ? sum : 1;  // no rank has links
}

double ceiling_of(const collective_algorithm& by, const collective_case& of,
                  const workload_cores& cores, simulation& sim) {
  if (of.ranks < 2) return 0;  // one rank uses no wire
  if (by.ceiling) return by.ceiling(of, sim.service<link_directory>());
  if (!by.load) return 0;
  const job_wires wires = wires_of_job(cores, sim, !by.is_software());
  double longest = 0;
  for (std::size_t rank = 0; rank < wires.ranks.size(); ++rank)
    longest = std::max(longest, wires.seconds_of(rank, by.load(of, of.groups.place_of(rank))));
  return longest > 0 ? 1 / longest : 0;
}

double rate_of_hardware(const collective_algorithm& by, const collective_case& of,
                        const workload_cores& cores, simulation& sim) {
  if (of.ranks < 2 || !(by.load || by.load_in_pod)) return 0;
  job_wires wires = wires_of_job(cores, sim, true);
  job_wires trees = wires;
  if (by.needs_of_ranks("multimem")) take_packets_of_multimem(wires, cores, sim);
  if (by.needs_of_setup("aggregator")) {
    const aggregator_network network(cores, sim);
    for (std::size_t rank = 0; rank < trees.ranks.size(); ++rank) {
      trees.ranks[rank].bytes_per_second = network.rate_of(rank);
      wires.ranks[rank].bytes_per_second -= network.rate_of(rank);
    }
    if (!by.load_in_pod) wires = trees;
  }
  double longest = 0;
  for (std::size_t rank = 0; rank < wires.ranks.size(); ++rank) {
    double time = 0;
    if (by.load_in_pod)
      time =
          wires.seconds_of(rank, by.load_in_pod(of)) + trees.seconds_of(rank, by.load_of_trees(of));
    else
      time =
          wires.seconds_of(rank, by.turns ? by.turns(of) : by.load(of, of.groups.place_of(rank)));
    longest = std::max(longest, time);
  }
  return longest > 0 ? 1 / longest : 0;
}

}  // namespace heddle
