// From bits to an instruction. Whatever the base ISA, M, A, F, D, C, Zicsr and Zifencei do not
// define for this width is `illegal`; reserved hints decode to what they hint with.
#pragma once

#include "models/cpu/rv/isa.hpp"

namespace heddle::rv {

constexpr bool is_compressed(std::uint32_t bits) {
  return (bits & 3) != 3;
}

// `xlen`: 32 or 64. Of a compressed instruction only the lower half of `bits` counts.
instruction decode(std::uint32_t bits, int xlen);
instruction decode_compressed(std::uint16_t bits, int xlen);
// `illegal` where it is none of F or D; else also what `i` has beside its registers.
opcode decode_float(std::uint32_t bits, int xlen, instruction& i);

}  // namespace heddle::rv
