// What crosses the links of ranks where switches send a root's tensor to all, or reduce all tensors
// to a root, which takes part like the others.
#pragma once

#include "models/workloads/collective/algorithm.hpp"

namespace heddle {

// Of a broadcast or a reduce.
inline wire_load load_of_root(const collective_case& of, std::uint64_t place) {
  const bool is_root = place == of.root;
  if (of.collective == BOOT_REDUCE) return {1, is_root ? 1.0 : 0.0};
  return is_root ? wire_load{1, 0} : wire_load{0, 1};
}

}  // namespace heddle
