#include "platform/tensor/quantized_sum.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace heddle {
namespace {

using block_values = std::array<float, quantization::largest_block>;

struct block_of_inputs {
  const quantization& how;
  const quantized_view* inputs;
  std::size_t data_at;   // byte offset of the block
  std::size_t scale_at;  // the same of its scale
  std::size_t elements;

  bool read(std::size_t leaf, float* values) const {
    if (inputs[leaf].data == nullptr) return false;
    dequantize(how, inputs[leaf].data + data_at, inputs[leaf].scales + scale_at, elements, values);
    return true;
  }
};

// The largest power of two below n: neighbors paired level by level meet there.
std::size_t left_half(std::size_t n) {
  std::size_t half = 1;
  while (half * 2 < n) half *= 2;
  return half;
}

// Sums the leaves [first, first + leaves) into total; false if all are absent.
bool add_tree(const block_of_inputs& block, std::size_t first, std::size_t leaves, float* total) {
  if (leaves == 1) return block.read(first, total);
  const std::size_t half = left_half(leaves);
  if (!add_tree(block, first, half, total))
    return add_tree(block, first + half, leaves - half, total);
  block_values right;
  if (!add_tree(block, first + half, leaves - half, right.data())) return true;
  for (std::size_t i = 0; i < block.elements; ++i) total[i] += right[i];
  return true;
}

}  // namespace

void quantized_sum(const quantization& how, const quantized_view* inputs, std::size_t leaves,
                   std::size_t elements, std::byte* data, std::byte* scales) {
  assert(how.is_valid() && leaves > 0);
  block_values total;
  for (std::size_t begin = 0; begin < elements; begin += how.block) {
    const block_of_inputs block{how, inputs, quantized_bytes(how, begin), scale_bytes(how, begin),
                                std::min(how.block, elements - begin)};
    [[maybe_unused]] const bool is_any_present = add_tree(block, 0, leaves, total.data());
    assert(is_any_present);
    quantize(how, dtype::fp32, total.data(), block.elements, data + block.data_at,
             scales + block.scale_at);
  }
}

}  // namespace heddle
