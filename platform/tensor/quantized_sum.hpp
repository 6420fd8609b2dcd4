// The pipeline of a switch that reduces quantized tensors: dequantize, accumulate, quantize
// (SCIN 3.4.4). Block by block, so that a wave of whole blocks is a tensor of its own.
//
// Accumulation is in fp32 along a binary tree over the leaves: leaves 2i and 2i+1 meet first, then
// their sums. An absent leaf passes its partner through. There is no rounding but that of each
// fp32 addition and that of the one quantization at the end.
#pragma once

#include <cstddef>

#include "platform/tensor/quantize.hpp"

namespace heddle {

struct quantized_view {
  const std::byte* data = nullptr;    // nullptr: an absent leaf
  const std::byte* scales = nullptr;  // fp16, one a block
};

// All inputs have so many elements and the same blocks; one at least is present. The results may be
// the memory of an input. Allocates nothing.
void quantized_sum(const quantization& how, const quantized_view* inputs, std::size_t leaves,
                   std::size_t elements, std::byte* data, std::byte* scales);

}  // namespace heddle
