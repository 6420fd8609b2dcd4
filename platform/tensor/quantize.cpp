#include "platform/tensor/quantize.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>

#include "platform/tensor/float_bits.hpp"
#include "platform/tensor/vector_clones.hpp"

namespace heddle {
namespace {

constexpr std::uint16_t smallest_scale = 0x0001;
constexpr std::uint16_t largest_scale = 0x7bff;

using block_values = std::array<float, quantization::largest_block>;
using block_codes = std::array<std::int8_t, quantization::largest_block>;

// memcpy for each element: packets hold tensors at any alignment, and the compiler sees through it.
template <typename Word, typename Convert>
HEDDLE_IN_CLONE void widen(const unsigned char* source, std::size_t count, float* values,
                           Convert convert) {
  for (std::size_t i = 0; i < count; ++i) {
    Word word;
    std::memcpy(&word, source + i * sizeof word, sizeof word);
    values[i] = convert(word);
  }
}

HEDDLE_IN_CLONE void load(dtype type, const unsigned char* source, std::size_t count,
                          float* values) {
  switch (type) {
    case dtype::fp16:
      return widen<std::uint16_t>(source, count, values,
                                  [](std::uint16_t half) { return fp16_to_fp32(half); });
    case dtype::bf16:
      return widen<std::uint16_t>(source, count, values,
                                  [](std::uint16_t brain) { return bf16_to_fp32(brain); });
    case dtype::fp32:
      return widen<float>(source, count, values, [](float value) { return value; });
    case dtype::int32:
    case dtype::fp64:
    case dtype::fp8:
      break;
  }
  assert(false);
}

// As bits, because those of numbers, infinity and NaNs are in that order.
HEDDLE_IN_CLONE std::uint32_t largest_magnitude(const float* values, std::size_t count) {
  std::int32_t largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto magnitude = static_cast<std::int32_t>(bits_of(values[i]) & detail::fp32_magnitude);
    largest = magnitude > largest ? magnitude : largest;
  }
  return static_cast<std::uint32_t>(largest);
}

std::uint16_t scale_for(std::uint32_t magnitude, float limit) {
  if (magnitude == 0) return 0;
  if (magnitude >= fp32_format::infinity) return fp16_format::quiet_nan;
  return std::clamp(fp32_to_fp16(float_of(magnitude) / limit), smallest_scale, largest_scale);
}

HEDDLE_IN_CLONE void round_to_codes(const float* values, std::size_t count, float scale,
                                    float limit, std::int8_t* codes) {
  constexpr float unit_in_last_place_is_one = 0x1.8p23f;
  for (std::size_t i = 0; i < count; ++i) {
    float quotient = values[i] / scale;
    quotient = quotient < limit ? quotient : limit;
    quotient = quotient > -limit ? quotient : -limit;
    const std::uint32_t rounded = bits_of(quotient + unit_in_last_place_is_one);
    codes[i] = static_cast<std::int8_t>(rounded - bits_of(unit_in_last_place_is_one));
  }
}

HEDDLE_IN_CLONE void store(unsigned bits, const std::int8_t* codes, std::size_t count,
                           unsigned char* data) {
  if (bits == 8) {
    std::memcpy(data, codes, count);
    return;
  }
  for (std::size_t i = 0; i < count / 2; ++i)
    data[i] = static_cast<unsigned char>((codes[2 * i] & 15) | (codes[2 * i + 1] * 16));
  if (count % 2 != 0) data[count / 2] = static_cast<unsigned char>(codes[count - 1] & 15);
}

HEDDLE_IN_CLONE void fetch(unsigned bits, const unsigned char* data, std::size_t count,
                           std::int8_t* codes) {
  if (bits == 8) {
    std::memcpy(codes, data, count);
    return;
  }
  for (std::size_t i = 0; i < count / 2; ++i) {
    const auto both = static_cast<std::int8_t>(data[i]);
    codes[2 * i] = static_cast<std::int8_t>(static_cast<std::int8_t>(both * 16) >> 4);
    codes[2 * i + 1] = static_cast<std::int8_t>(both >> 4);
  }
  if (count % 2 != 0)
    codes[count - 1] =
        static_cast<std::int8_t>(static_cast<std::int8_t>(data[count / 2] * 16) >> 4);
}

float canonical(float value) {
  return value != value ? float_of(fp32_format::quiet_nan) : value;
}

}  // namespace

HEDDLE_CLONE_FOR_VECTORS void quantize(const quantization& how, dtype type,
                                       const void* elements_of_type, std::size_t elements,
                                       std::byte* data, std::byte* scales) {
  assert(how.is_valid());
  const auto* source = static_cast<const unsigned char*>(elements_of_type);
  auto* packed = reinterpret_cast<unsigned char*>(data);
  const auto limit = static_cast<float>(how.limit());
  block_values values;
  block_codes codes;
  for (std::size_t begin = 0; begin < elements; begin += how.block) {
    const std::size_t count = std::min(how.block, elements - begin);
    load(type, source + begin * size_of(type), count, values.data());
    const std::uint32_t magnitude = largest_magnitude(values.data(), count);
    const std::uint16_t scale = scale_for(magnitude, limit);
    if (magnitude == 0 || magnitude >= fp32_format::infinity)
      std::fill_n(codes.begin(), count, std::int8_t{0});
    else
      round_to_codes(values.data(), count, fp16_to_fp32(scale), limit, codes.data());
    store(how.bits, codes.data(), count, packed + begin * how.bits / 8);
    std::memcpy(scales + begin / how.block * sizeof scale, &scale, sizeof scale);
  }
}

HEDDLE_CLONE_FOR_VECTORS void dequantize(const quantization& how, const std::byte* data,
                                         const std::byte* scales, std::size_t elements,
                                         float* values) {
  assert(how.is_valid());
  const auto* packed = reinterpret_cast<const unsigned char*>(data);
  block_codes codes;
  for (std::size_t begin = 0; begin < elements; begin += how.block) {
    const std::size_t count = std::min(how.block, elements - begin);
    std::uint16_t half;
    std::memcpy(&half, scales + begin / how.block * sizeof half, sizeof half);
    const float scale = fp16_to_fp32(half);
    fetch(how.bits, packed + begin * how.bits / 8, count, codes.data());
    float* const block = values + begin;
    for (std::size_t i = 0; i < count; ++i) block[i] = static_cast<float>(codes[i]) * scale;
    if ((half & fp16_format::infinity) == fp16_format::infinity)
      std::transform(block, block + count, block, canonical);
  }
}

}  // namespace heddle
