// The vector units that firmware of ranks uses.
#pragma once

#include <vector>

#include "models/vector/vector.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

// In the order of the ranks, without those that have none.
std::vector<const vector_unit*> vectors_of(const workload_cores& cores, const simulation& sim);

}  // namespace heddle
