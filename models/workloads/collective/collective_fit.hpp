// Whether the ranks of a netlist can do the collective that it asks for: before anything is
// simulated.
#pragma once

#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/collective_config.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

// Ranks of a pod: they share a multicast region, with nobody else, and follow each other. 0 where
// there is no region, where pods differ in size, and where a region has members that are no ranks:
// what a switch reduces or multicasts there concerns those, too.
std::uint64_t ranks_of_pods(const workload_context& context);

// The groups that `groups` makes of the ranks. Throws user_error where it leaves some over.
rank_groups groups_among(const collective_config& config, const workload_cores& cores);

// Counts, names, and that each rank has a link if it has an address in the fabric. Throws
// user_error at the key of the workload that is wrong.
void check_ranks(const collective_config& config, const workload_cores& cores, simulation& sim);

// That results do not replace operands. Throws user_error.
void check_output(const collective_config& config, const std::string& directory);

// One job by the algorithm that the ranks will take. Throws user_error where lengths, memory or the
// streams of in-switch accelerators do not fit.
boot_job fitting_job(const collective_config& config, const collective_algorithm& by,
                     const collective_case& of, const workload_context& context,
                     std::uint32_t number);

}  // namespace heddle
