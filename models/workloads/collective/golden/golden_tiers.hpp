// What devices inside switches leave behind: at every switch the operands of its children meet as
// in a tree accumulator (golden_tree_allreduce), rounded once a switch, from the leaves to the
// root.
#pragma once

#include <cstddef>
#include <vector>

#include "models/workloads/collective/golden/golden.hpp"

namespace heddle {

struct reduction_node {
  int rank = -1;  // of a member; -1: a switch or, without children, an absent leaf
  std::vector<reduction_node> children;
};

// A tree, of one switch or of several, reduces these bytes of every rank's tensor.
struct reduction_stripe {
  std::size_t begin = 0, bytes = 0;
  reduction_node root;
};

struct reduction_order {
  std::vector<reduction_stripe> stripes;
};

// Bytes that no stripe has are 0.
tensor_bytes golden_tiers(dtype type, reduce_op op, const rank_inputs& inputs, std::size_t elements,
                          const reduction_order& order);

}  // namespace heddle
