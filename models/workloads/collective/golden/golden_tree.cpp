#include <cstring>
#include <optional>

#include "models/workloads/collective/golden/golden.hpp"
#include "platform/tensor/float_bits.hpp"

namespace heddle {
namespace {

float widened(dtype type, const std::byte* at) {
  std::uint16_t half;
  std::memcpy(&half, at, sizeof half);
  return type == dtype::fp16 ? fp16_to_fp32(half) : bf16_to_fp32(half);
}

void store_narrowed(dtype type, float value, std::byte* at) {
  const std::uint16_t half = type == dtype::fp16 ? fp32_to_fp16(value) : fp32_to_bf16(value);
  std::memcpy(at, &half, sizeof half);
}

template <class Word>
using leaves = std::vector<std::optional<Word>>;

// One level of the tree: neighbors meet, one without a partner moves up as it is.
template <class Word>
leaves<Word> next_level(dtype type, reduce_op op, const leaves<Word>& level) {
  leaves<Word> result;
  for (std::size_t i = 0; i < level.size(); i += 2) {
    std::optional<Word> value = level[i];
    const std::optional<Word> partner = i + 1 < level.size() ? level[i + 1] : std::nullopt;
    if (value && partner)
      reduce(type, op, &*value, &*partner, 1);
    else if (partner)
      value = partner;
    result.push_back(value);
  }
  return result;
}

template <class Word>
Word folded(dtype type, reduce_op op, leaves<Word> level) {
  while (level.size() > 1) level = next_level(type, op, level);
  return *level.front();
}

}  // namespace

tensor_bytes golden_tree_allreduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                   std::size_t elements) {
  const std::size_t width = size_of(type);
  tensor_bytes result(elements * width);
  for (std::size_t i = 0; i < elements; ++i) {
    std::byte* to = result.data() + i * width;
    if (width == sizeof(std::uint16_t)) {
      leaves<float> operands;
      for (const std::byte* each : inputs)
        operands.push_back(each ? std::optional(widened(type, each + i * width)) : std::nullopt);
      store_narrowed(type, folded(dtype::fp32, op, operands), to);
    } else {
      leaves<std::uint32_t> operands;
      for (const std::byte* each : inputs) {
        operands.emplace_back();
        if (each) std::memcpy(&operands.back().emplace(), each + i * width, width);
      }
      const std::uint32_t sum = folded(type, op, operands);
      std::memcpy(to, &sum, width);
    }
  }
  return result;
}

}  // namespace heddle
