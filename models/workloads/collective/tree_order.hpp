// The order in which the aggregators of a run add the operands of a job, from what their manager
// has told them.
#pragma once

#include <memory>

#include "models/workloads/collective/golden/golden_tiers.hpp"
#include "platform/workload/workload_kind.hpp"
#include "sw/hal/boot.h"

namespace heddle {

// `pod`: so many ranks, among them each member of a group, have been added before it pushed their
// sum; 0: members push their own tensors. Of the groups that have been armed since then; nullptr
// where no aggregator works for these ranks.
std::shared_ptr<const reduction_order> tree_order_of(const workload_context& context,
                                                     const boot_job& job, fs_t since,
                                                     std::uint64_t pod = 0);

}  // namespace heddle
