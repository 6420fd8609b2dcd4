#include "models/workloads/collective/wire_load.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "models/workloads/collective/algorithm.hpp"
#include "platform/services/link_directory.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/workload/workload_kind.hpp"
#include "transactors/fabric/fabric.hpp"

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
  const fabric& net = sim.service<fabric>();
  const auto& known = sim.service<link_directory>().endpoints;
  job_wires found;
  found.data = found.response = std::numeric_limits<double>::infinity();
  const auto take_format = [&](const endpoint_wires& of) {
    found.data = std::min(found.data, of.data);
    found.response = std::min(found.response, of.response);
  };
  for (const rank_core* each : cores.ranks) {
    const address_window* const window = net.find_window(each->resources().window);
    const auto its = window ? known.find(net.endpoint(window->endpoint).owner) : known.end();
    found.ranks.push_back(its == known.end() ? endpoint_wires() : its->second);
    if (its != known.end()) take_format(its->second);
  }
  for (const auto& [device, format] : known)
    if (has_devices && format.bytes_per_second == 0) take_format(format);
  return found;
}

}  // namespace

double payload_rate_of(const workload_cores& cores, simulation& sim) {
  double least = std::numeric_limits<double>::infinity();
  for (const endpoint_wires& each : wires_of_job(cores, sim, false).ranks)
    if (each.bytes_per_second > 0) least = std::min(least, each.bytes_per_second / each.data);
  return least < std::numeric_limits<double>::infinity() ? least : 0;
}

rank_wires rank_wires_of(const workload_cores& cores, simulation& sim) {
  const job_wires wires = wires_of_job(cores, sim, false);
  rank_wires found;
  for (const endpoint_wires& each : wires.ranks)
    if (each.bytes_per_second > 0 && (found.slowest == 0 || each.bytes_per_second < found.slowest))
      found.slowest = each.bytes_per_second;
  if (found.slowest > 0) found.bytes_of_payload = wires.data + wires.response;
  return found;
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

}  // namespace heddle
