// Whole arrays to fp32 and back, for arithmetic that is wider than its operands. Types are fp16,
// bf16, fp8 and fp32; arrays of them need no alignment.
#pragma once

#include <cstddef>

#include "platform/tensor/dtype.hpp"

namespace heddle {

void widen(dtype type, const std::byte* from, float* to, std::size_t elements);

// Rounded to nearest, ties to even; see float_bits.hpp.
void narrow(dtype type, const float* from, std::byte* to, std::size_t elements);

}  // namespace heddle
