// The arithmetic of every reduction in the platform: accelerator, switch and golden alike.
//
//  - sum of fp16, bf16 and fp8: added in fp32, rounded once to the type. fp32 has more than twice
//    their precision, so this equals a correctly rounded addition in the type itself. fp32 and fp64
//    are added in their own type.
//  - sum of int32 wraps modulo 2^32.
//  - min and max follow minimum and maximum of IEEE 754-2019: -0 is less than +0, and a NaN on
//    either side gives a NaN.
//  - and, or and xor are of the bits of integers (applies_to).
//  - every NaN result is the canonical quiet NaN (0x7e, 0x7e00, 0x7fc0, 0x7fc00000,
//    0x7ff8000000000000), whatever went in.
//
// So a OP b and b OP a have the same bits, always. Sums of floats are not associative: the order of
// the ranks is part of the result.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "platform/tensor/dtype.hpp"

namespace heddle {

// The numbers are those of registers and jobs; 3 to 5 are other operations of vector units.
enum class reduce_op { sum = 0, min = 1, max = 2, bit_and = 6, bit_or = 7, bit_xor = 8 };

bool is_known(reduce_op op);
// Bits are those of integers: who means the bits of another type says int32.
bool applies_to(reduce_op op, dtype type);

std::string_view name_of(reduce_op op);

// The operation named "sum", "min", "max", "and", "or" or "xor".
std::optional<reduce_op> parse_reduce_op(std::string_view name);

// destination[i] = destination[i] OP source[i], for types that the operation applies to. The arrays
// need no alignment and may not overlap.
void reduce(dtype type, reduce_op op, void* destination, const void* source, std::size_t elements);
// destination[i] = first[i] OP second[i]. The destination may be `first`.
void reduce(dtype type, reduce_op op, void* destination, const void* first, const void* second,
            std::size_t elements);

}  // namespace heddle
