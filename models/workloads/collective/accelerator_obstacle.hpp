// Whether in-switch accelerators have all ranks at their ports: they read from and write to nobody
// else.
#pragma once

#include <string>

#include "models/workloads/collective/algorithm.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

// The first rank that has no link to the switch of an accelerator which the cores program; "" where
// there is none, and of algorithms without accelerators.
std::string obstacle_of_accelerators(const collective_algorithm& algorithm,
                                     const workload_cores& cores, simulation& sim);

}  // namespace heddle
