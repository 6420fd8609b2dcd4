// The arithmetic of every reduction in the platform: accelerator, switch and golden alike.
//
//  - sum of fp16 and bf16: added in fp32, rounded once to the type. fp32 has more than twice their
//    precision, so this equals a correctly rounded addition in the type itself.
//  - sum of int32 wraps modulo 2^32.
//  - min and max follow minimum and maximum of IEEE 754-2019: -0 is less than +0, and a NaN on
//    either side gives a NaN.
//  - every NaN result is the canonical quiet NaN (0x7e00, 0x7fc0, 0x7fc00000, 0x7ff8000000000000),
//  whatever went in.
//
// So a OP b and b OP a have the same bits, always. Sums of floats are not associative: the order of
// the ranks is part of the result.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "platform/tensor/dtype.hpp"

namespace heddle {

enum class reduce_op { sum, min, max };

std::string_view name_of(reduce_op op);

// The operation named "sum", "min" or "max".
std::optional<reduce_op> parse_reduce_op(std::string_view name);

// destination[i] = destination[i] OP source[i]. The arrays need no alignment and may not overlap.
void reduce(dtype type, reduce_op op, void* destination, const void* source, std::size_t elements);

}  // namespace heddle
