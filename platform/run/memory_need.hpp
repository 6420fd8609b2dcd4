// When the host has no more memory (platform/pool/out_of_memory.hpp), a run also says how much
// its workloads need.
#pragma once

#include <functional>

#include "platform/workload/workload_set.hpp"

namespace heddle {

// Calls what simulates. Where memory runs out it throws user_error, which says how many bytes the
// operands take; everything else passes through. `workloads`: null without one.
void with_memory_need(const workload_set* workloads, const std::function<void()>& simulates);

}  // namespace heddle
