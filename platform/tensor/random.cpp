#include "platform/tensor/random.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

#include "platform/random/split_mix.hpp"
#include "platform/tensor/float_bits.hpp"
#include "platform/tensor/vector_clones.hpp"

namespace heddle {
namespace {

using split_mix::golden_gamma;

// Uniform in [-1, 1), a multiple of 2^-23; the lowest four bits pick the coarse values.
float uniform(std::uint32_t random) {
  constexpr std::uint32_t eighths = ~((1u << 20) - 1);
  const std::uint32_t fraction = random >> 8;
  const std::uint32_t kept = (random & 15u) == 0 ? fraction & eighths : fraction;
  return static_cast<float>(static_cast<std::int32_t>(kept) - (1 << 23)) * 0x1p-23f;
}

// Clearing the fraction bits that the type lacks rounds toward zero: 1 itself never appears.
float cut(float value, unsigned missing_bits) {
  return float_of(bits_of(value) & ~((1u << missing_bits) - 1));
}

// The upper halves of the next outputs after `state`.
HEDDLE_CLONE_FOR_VECTORS void draw(std::uint64_t state, std::uint32_t* random, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    random[i] = static_cast<std::uint32_t>(split_mix::output(state, i) >> 32);
}

// Two loops, because other vectors do for the conversions.
template <typename Word, typename Make>
HEDDLE_IN_CLONE void fill(void* data, std::size_t elements, std::uint64_t state, Make make) {
  constexpr std::size_t block = 256;
  std::array<std::uint32_t, block> random;
  auto* bytes = static_cast<unsigned char*>(data);
  while (elements > 0) {
    const std::size_t count = std::min(elements, block);
    draw(state, random.data(), count);
    for (std::size_t i = 0; i < count; ++i) {
      const Word word = make(random[i]);
      std::memcpy(bytes + i * sizeof word, &word, sizeof word);
    }
    state += golden_gamma * count;
    bytes += count * sizeof(Word);
    elements -= count;
  }
}

}  // namespace

HEDDLE_CLONE_FOR_VECTORS void fill_random(dtype type, void* data, std::size_t elements,
                                          std::uint64_t seed, std::uint64_t rank,
                                          std::uint64_t offset) {
  const std::uint64_t state = split_mix::start_of_stream(seed, rank) + golden_gamma * offset;
  switch (type) {
    case dtype::fp16:
      return fill<std::uint16_t>(data, elements, state, [](std::uint32_t random) {
        return fp32_to_fp16(cut(uniform(random), 13));
      });
    case dtype::bf16:
      return fill<std::uint16_t>(data, elements, state, [](std::uint32_t random) {
        return fp32_to_bf16(cut(uniform(random), 16));
      });
    case dtype::fp32:
      return fill<float>(data, elements, state,
                         [](std::uint32_t random) { return uniform(random); });
    case dtype::fp64:
      return fill<double>(data, elements, state, [](std::uint32_t random) {
        return static_cast<double>(uniform(random)) / 3;  // fills the fraction: sums round
      });
    case dtype::fp8:
      return fill<std::uint8_t>(data, elements, state, [](std::uint32_t random) {
        return fp32_to_fp8(cut(uniform(random), 21));
      });
    case dtype::int32:
      return fill<std::uint32_t>(data, elements, state,
                                 [](std::uint32_t random) { return random; });
  }
  assert(false);
}

}  // namespace heddle
