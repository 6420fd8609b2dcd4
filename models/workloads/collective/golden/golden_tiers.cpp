#include "models/workloads/collective/golden/golden_tiers.hpp"

#include <algorithm>
#include <cstring>

namespace heddle {
namespace {

struct part {
  dtype type;
  reduce_op op;
  const rank_inputs& inputs;
  std::size_t begin, bytes;  // of the tensors
};

tensor_bytes folded(const part& of, const reduction_node& node) {
  if (node.rank >= 0) {
    const std::byte* const first = of.inputs[static_cast<std::size_t>(node.rank)] + of.begin;
    return {first, first + of.bytes};
  }
  std::vector<tensor_bytes> kept;
  kept.reserve(node.children.size());
  rank_inputs operands;
  for (const reduction_node& each : node.children) {
    if (each.rank >= 0) {
      operands.push_back(of.inputs[static_cast<std::size_t>(each.rank)] + of.begin);
    } else if (each.children.empty()) {
      operands.push_back(nullptr);
    } else {
      kept.push_back(folded(of, each));
      operands.push_back(kept.back().data());
    }
  }
  return golden_tree_allreduce(of.type, of.op, operands, of.bytes / size_of(of.type));
}

}  // namespace

tensor_bytes golden_tiers(dtype type, reduce_op op, const rank_inputs& inputs, std::size_t elements,
                          const reduction_order& order) {
  constexpr std::size_t block = 1 << 16;  // stays in a cache with all its operands
  tensor_bytes result(elements * size_of(type));
  for (const reduction_stripe& each : order.stripes) {
    for (std::size_t done = 0; done < each.bytes; done += block) {
      const std::size_t begin = each.begin + done;
      const std::size_t bytes = std::min({block, each.bytes - done, result.size() - begin});
      const tensor_bytes sum = folded({type, op, inputs, begin, bytes}, each.root);
      std::memcpy(result.data() + begin, sum.data(), bytes);
    }
  }
  return result;
}

}  // namespace heddle
