#include "platform/tensor/convert.hpp"

#include <cassert>
#include <cstring>

#include "platform/tensor/float_bits.hpp"
#include "platform/tensor/vector_clones.hpp"

namespace heddle {
namespace {

template <typename Word, float widened(Word)>
HEDDLE_IN_CLONE void widen_words(const std::byte* from, float* to, std::size_t elements) {
  for (std::size_t i = 0; i < elements; ++i) {
    Word word;
    std::memcpy(&word, from + i * sizeof word, sizeof word);
    to[i] = widened(word);
  }
}

template <typename Word, Word narrowed(float)>
HEDDLE_IN_CLONE void narrow_words(const float* from, std::byte* to, std::size_t elements) {
  for (std::size_t i = 0; i < elements; ++i) {
    const Word word = narrowed(from[i]);
    std::memcpy(to + i * sizeof word, &word, sizeof word);
  }
}

}  // namespace

HEDDLE_CLONE_FOR_VECTORS void widen(dtype type, const std::byte* from, float* to,
                                    std::size_t elements) {
  assert(type != dtype::int32);
  if (type == dtype::fp32)
    std::memcpy(to, from, elements * sizeof *to);
  else if (type == dtype::fp16)
    widen_words<std::uint16_t, fp16_to_fp32>(from, to, elements);
  else if (type == dtype::fp8)
    widen_words<std::uint8_t, fp8_to_fp32>(from, to, elements);
  else
    widen_words<std::uint16_t, bf16_to_fp32>(from, to, elements);
}

HEDDLE_CLONE_FOR_VECTORS void narrow(dtype type, const float* from, std::byte* to,
                                     std::size_t elements) {
  assert(type != dtype::int32);
  if (type == dtype::fp32)
    std::memcpy(to, from, elements * sizeof *from);
  else if (type == dtype::fp16)
    narrow_words<std::uint16_t, fp32_to_fp16>(from, to, elements);
  else if (type == dtype::fp8)
    narrow_words<std::uint8_t, fp32_to_fp8>(from, to, elements);
  else
    narrow_words<std::uint16_t, fp32_to_bf16>(from, to, elements);
}

}  // namespace heddle
