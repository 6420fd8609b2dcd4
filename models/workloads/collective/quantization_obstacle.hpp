// Whether the hardware of a netlist has room for the blocks of a quantized collective.
#pragma once

#include <string>

#include "models/workloads/collective/algorithm.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

// Why vector units or in-switch accelerators hold no whole number of the elements that share a
// scale; "" where they do.
std::string obstacle_to_quantization(const collective_case& job, const workload_cores& cores,
                                     const simulation& sim);

}  // namespace heddle
