// What hardware in the network may have under way: ranks keep to the buffers of the switches and to
// the packets that may be without an answer, an in-switch accelerator to its wave tables.
//
// Limitations: trees of pods, and the reduction buffers of NVLS switches, are taken to be large
// enough; other workloads that take part of the buffers are not seen.
#pragma once

#include "models/workloads/collective/hardware_time.hpp"

namespace heddle {

// How long the links of ranks that carry `rate` bytes of a tensor per second stand still, in all,
// because everything that may be under way is. Seconds.
double waits_for_windows(const collective_algorithm& by, const collective_case& job,
                         const collective_config& config, const hardware_view& on, double rate);

}  // namespace heddle
