// What a user reads when the machine has too little memory for a run, instead of the kernel's
// report of an exception that nobody caught.
#pragma once

#include <functional>

#include "platform/workload/workload_set.hpp"

namespace heddle {

// Calls what simulates. Throws user_error, which says how many bytes the operands take, where
// memory ran out; lets everything else through. `workloads`: null without one.
void with_memory_error(const workload_set* workloads, const std::function<void()>& simulates);

}  // namespace heddle
