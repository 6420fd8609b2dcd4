// How long hardware in the network takes for a collective, about: the ways from rank to rank that
// it waits for, and the rate of the ranks' links.
#pragma once

#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/collective_config.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

struct hardware_view {
  const workload_cores& cores;
  simulation& sim;
  double way;          // s, the longest from rank to rank
  double way_to_next;  // s, to the next rank, which is of the same pod
};

// Seconds; 0: nobody knows.
double hardware_time(const collective_algorithm& by, const collective_case& job,
                     const collective_config& config, const hardware_view& on);

}  // namespace heddle
