#include "platform/tensor/convert.hpp"

#include <cassert>
#include <cstring>

#include "platform/tensor/float_bits.hpp"
#include "platform/tensor/vector_clones.hpp"

namespace heddle {
namespace {

template <float widened(std::uint16_t)>
HEDDLE_IN_CLONE void widen_words(const std::byte* from, float* to, std::size_t elements) {
  for (std::size_t i = 0; i < elements; ++i) {
    std::uint16_t word;
    std::memcpy(&word, from + i * sizeof word, sizeof word);
    to[i] = widened(word);
  }
}

template <std::uint16_t narrowed(float)>
HEDDLE_IN_CLONE void narrow_words(const float* from, std::byte* to, std::size_t elements) {
  for (std::size_t i = 0; i < elements; ++i) {
    const std::uint16_t word = narrowed(from[i]);
    std::memcpy(to + i * sizeof word, &word, sizeof word);
  }
}

}  // namespace

HEDDLE_CLONE_FOR_AVX2 void widen(dtype type, const std::byte* from, float* to,
                                 std::size_t elements) {
  assert(type != dtype::int32);
  if (type == dtype::fp32)
    std::memcpy(to, from, elements * sizeof *to);
  else if (type == dtype::fp16)
    widen_words<fp16_to_fp32>(from, to, elements);
  else
    widen_words<bf16_to_fp32>(from, to, elements);
}

HEDDLE_CLONE_FOR_AVX2 void narrow(dtype type, const float* from, std::byte* to,
                                  std::size_t elements) {
  assert(type != dtype::int32);
  if (type == dtype::fp32)
    std::memcpy(to, from, elements * sizeof *from);
  else if (type == dtype::fp16)
    narrow_words<fp32_to_fp16>(from, to, elements);
  else
    narrow_words<fp32_to_bf16>(from, to, elements);
}

}  // namespace heddle
