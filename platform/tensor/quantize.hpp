// Symmetric block-wise quantization: small integers and one scale for every block of a tensor
// (SCIN 3.4, Fig 7). The arithmetic of accelerator and switch alike.
//
//  - A block is `block` consecutive elements; the last one of a tensor may be shorter.
//  - scale = max |x| / limit, divided in fp32 and rounded to fp16; limit is 127 or 7. The scale of
//    a block of zeros is +0. Any other finite block has a scale from 2^-24, fp16's smallest number,
//    to 65504, its largest: neither tiny nor huge numbers become 0 or infinite by their scale.
//  - integer = x / scale, divided in fp32 and rounded to nearest, ties to even, saturating at
//    +-limit; -128 and -8 are never made.
//  - An infinity or NaN anywhere in a block makes its scale the quiet NaN 0x7e00 and all its
//    integers 0: the whole block reads as NaN, and so does every sum that it enters.
//  - dequantized = integer * scale in fp32, which is exact; NaN results are the quiet NaN.
//
// So |x - dequantized| <= scale / 2 (plus 2^-18 of the scale for fp32, whose quotient is rounded),
// unless x saturates: where the scale is subnormal, that is below 2^-14, it may have been rounded
// down by up to 2^-25, and x loses at most limit times that; or where it would exceed 65504.
//
// In memory the integers lie in one array, the scales (fp16) in another. INT4 packs two in a byte,
// the low nibble first; an odd number of elements leaves the last high nibble 0. Nothing needs
// alignment.
#pragma once

#include <cstddef>

#include "platform/number/power_of_two.hpp"
#include "platform/tensor/dtype.hpp"

namespace heddle {

struct quantization {
  static constexpr std::size_t smallest_block = 32;  // SCIN Table 1
  static constexpr std::size_t largest_block = 512;

  unsigned bits = 8;       // 8 or 4
  std::size_t block = 64;  // elements; a power of two, smallest_block to largest_block

  bool is_valid() const {
    return (bits == 8 || bits == 4) && is_power_of_two(block) && block >= smallest_block &&
           block <= largest_block;
  }
  int limit() const { return bits == 8 ? 127 : 7; }
  std::size_t blocks(std::size_t elements) const { return (elements + block - 1) / block; }
};

// Bytes of the integers, and of the scales.
constexpr std::size_t quantized_bytes(const quantization& how, std::size_t elements) {
  return how.bits == 8 ? elements : elements / 2 + elements % 2;
}
constexpr std::size_t scale_bytes(const quantization& how, std::size_t elements) {
  return (elements + how.block - 1) / how.block * size_of(dtype::fp16);
}

// What narrow integers and an fp16 scale stand for: fp16, bf16 and fp32.
constexpr bool can_quantize(dtype type) {
  return type == dtype::fp16 || type == dtype::bf16 || type == dtype::fp32;
}

// type is one that can be quantized. Neither result may overlap the elements.
void quantize(const quantization& how, dtype type, const void* elements_of_type,
              std::size_t elements, std::byte* data, std::byte* scales);

// Whatever the scales are; values takes as many floats as elements.
void dequantize(const quantization& how, const std::byte* data, const std::byte* scales,
                std::size_t elements, float* values);

}  // namespace heddle
