// What quantized collectives must leave behind, bit for bit. Written from the rules in quantize.hpp
// and quantized_sum.hpp, element by element, without the code that models use.
#pragma once

#include <cstddef>

#include "models/workloads/collective/golden/golden_tiers.hpp"
#include "platform/tensor/quantize.hpp"

namespace heddle {

// As it lies in memory.
struct quantized_tensor {
  tensor_bytes data;
  tensor_bytes scales;
};

quantized_tensor golden_quantize(const quantization& how, dtype type, const std::byte* input,
                                 std::size_t elements);

// Rounded once from fp32 to the type.
tensor_bytes golden_dequantize(const quantization& how, const quantized_tensor& tensor,
                               std::size_t elements, dtype type);

// Every rank quantizes its tensor; the switch sums what it dequantizes along the tree of
// quantized_sum.hpp and quantizes the sum: two quantizations, however many ranks. inputs[i] is leaf
// i; those that are nullptr are absent.
quantized_tensor golden_inq_allreduce(const quantization& how, dtype type,
                                      const rank_inputs& inputs, std::size_t elements);

// What all ranks dequantize of it to the type, where switches reduce stripes of whole blocks, each
// stripe in one switch with the ranks at leaves of their own.
tensor_bytes golden_inq_stripes(const quantization& how, dtype type, const rank_inputs& inputs,
                                std::size_t elements, const reduction_order& order);

// The ring of golden_ring_allreduce with every message quantized: chunk c starts quantized at rank
// c; each of the ranks c+1, c+2, ... mod N dequantizes it, adds its own elements in fp32 and
// quantizes the sum, the last of them for the all-gather. That is N-1 quantizations on top of the
// first. Chunks have blocks of their own. The result is what all ranks dequantize to result_type.
tensor_bytes golden_ring_quantized_allreduce(const quantization& how, dtype type,
                                             const rank_inputs& inputs, std::size_t elements,
                                             dtype result_type);

}  // namespace heddle
