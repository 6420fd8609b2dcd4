
#include "models/workloads/collective/golden/golden.hpp"
#include "sw/collectives/double_tree.h"

namespace heddle {
namespace {

struct tree_reduction {
  dtype type;
  reduce_op op;
  const rank_inputs& inputs;
  std::uint32_t tree;

  // What a position sends up: its own elements, then those of its first child, then of the second.
  tensor_bytes of(std::uint32_t position, element_range range) const {
    const std::size_t width = size_of(type);
    const std::byte* const own = inputs[position] + range.begin * width;
    tensor_bytes sum(own, own + range.count * width);
    const auto ranks = static_cast<std::uint32_t>(inputs.size());
    const double_tree_place place = double_tree_place_of(ranks, tree, position);
    for (std::uint32_t i = 0; i < place.children; ++i) {
      const tensor_bytes share = of(place.child[i], range);
      reduce(type, op, sum.data(), share.data(), range.count);
    }
    return sum;
  }
};

}  // namespace

tensor_bytes golden_double_tree_reduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                       std::size_t elements, std::size_t root) {
  rank_inputs from_root;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    from_root.push_back(inputs[(root + i) % inputs.size()]);
  tensor_bytes result;
  for (std::uint32_t tree = 0; tree < TREES; ++tree) {
    const element_range half = chunk_range(elements, TREES, tree);
    const tensor_bytes sum = tree_reduction{type, op, from_root, tree}.of(0, half);
    result.insert(result.end(), sum.begin(), sum.end());
  }
  return result;
}

}  // namespace heddle
