// The arithmetic of a tree accumulator in the network (SCIN 3.4): fp16 and bf16 are widened to
// fp32, operands meet in pairs of neighboring leaves, ((0 + 1) + (2 + 3)) + ..., and the result is
// rounded once. fp32 and int32 are added in their own type. An absent leaf passes its partner
// through.
//
// The order is that of the leaves, never that of arrival: results are reproducible.
#pragma once

#include <cstddef>
#include <vector>

#include "platform/tensor/dtype.hpp"
#include "platform/tensor/reduce.hpp"

namespace heddle {

// An accumulator adds in 32 bits, and has no unit for types of 64 or 8.
// What is no type, as a register may hold it, cannot be added either.
constexpr bool can_accumulate(dtype type) {
  return type == dtype::fp16 || type == dtype::bf16 || type == dtype::fp32 || type == dtype::int32;
}

// Of types that can be accumulated, whether their elements are added as fp32 and rounded once.
constexpr bool is_widened(dtype type) {
  return type == dtype::fp16 || type == dtype::bf16;
}

// result[i] = operands[0][i] OP operands[1][i] OP ...; nullptr is an absent leaf, at least one is
// present. The type is one that can be accumulated. The arrays need no alignment; the result may be
// one of the operands.
void accumulate(dtype type, reduce_op op, const std::vector<const std::byte*>& operands,
                std::byte* result, std::size_t elements);

}  // namespace heddle
