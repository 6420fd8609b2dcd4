// The order in which devices inside switches add the operands of a job: the golden result goes by
// it. Trees of aggregators and in-switch accelerators add in the order of what firmware has told
// them; switches with NVLS in the order in which a multicast region numbers its members, that of
// their addresses.
#pragma once

#include <memory>

#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/golden/golden_tiers.hpp"
#include "platform/workload/workload_kind.hpp"
#include "sw/hal/boot.h"

namespace heddle {

// Of one group of ranks, whose leaves are its ranks by their place in it. `since`: what was armed
// or pushed before is of earlier jobs. nullptr where the algorithm does not add in switches, and
// where no device in them works for just these ranks.
std::shared_ptr<const reduction_order> order_of_reductions(const workload_context& context,
                                                           const collective_algorithm& by,
                                                           const collective_case& of,
                                                           const boot_job& job, fs_t since,
                                                           std::uint64_t group);

}  // namespace heddle
