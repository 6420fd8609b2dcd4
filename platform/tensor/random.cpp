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

constexpr std::size_t block = 256;
constexpr std::uint32_t eighths = ~((1u << 20) - 1);  // of a fraction of 23 bits and a sign

// A multiple of 2^-23 in [-1, 1).
float in_unit_range(std::uint32_t fraction) {
  return static_cast<float>(static_cast<std::int32_t>(fraction) - (1 << 23)) * 0x1p-23f;
}

// The lowest four bits pick the coarse values.
float uniform(std::uint32_t random) {
  const std::uint32_t fraction = random >> 8;
  return in_unit_range((random & 15u) == 0 ? fraction & eighths : fraction);
}

// Bits of a float: the lowest bit is the sign, the upper 23 are the fraction of a number from
// 2^exponent on.
std::uint32_t scaled(std::uint32_t random, std::uint32_t exponent) {
  return random << 31 | (127u + exponent) << 23 | random >> 9;
}

// `set` where the lowest bit of `bit` is set, else `clear`; without a branch, so that loops become
// vectors.
std::uint32_t select(std::uint32_t bit, std::uint32_t set, std::uint32_t clear) {
  return clear ^ ((set ^ clear) & (0u - (bit & 1u)));
}

// The finalizer of MurmurHash3 for 32 bits (A. Appleby, public domain).
std::uint32_t mixed(std::uint32_t word) {
  word = (word ^ word >> 16) * 0x85ebca6bu;
  word = (word ^ word >> 13) * 0xc2b2ae35u;
  return word ^ word >> 16;
}

// In which bits the numbers of the two ranks of a pair differ: 1, 2 or 3, so that any two of four
// neighbors are a pair in some elements, or a power of two from 4 to 512.
std::uint32_t distance_of(std::uint32_t random) {
  const std::uint32_t near = random & 3u, exponent = random >> 2 & 7u;
  return select(near & near >> 1, 4u << exponent, near + 1);
}

// `small`: the exponent of the largest of the small numbers.
HEDDLE_IN_CLONE float spread(std::uint32_t own, std::uint32_t shared, std::uint32_t rank,
                             std::uint32_t small) {
  const std::uint32_t below = own >> 1 & 15u;
  const std::uint32_t is_fine = own >> 5 | own >> 6 | own >> 7;  // not coarse
  const std::uint32_t independent =
      select(is_fine, scaled(own, 0u - below), bits_of(in_unit_range(own >> 8 & eighths)));
  const std::uint32_t distance = distance_of(shared >> 2);
  const std::uint32_t partner = rank ^ distance;
  const std::uint32_t lower = std::min(rank, partner);
  const std::uint32_t pair = mixed(shared ^ lower * 0x9e3779b1u);
  const std::uint32_t sign = (lower - rank) >> 31;  // of the upper one
  const std::uint32_t of_pair =
      select(pair >> 1, scaled(pair ^ sign, 2), scaled(own, small - (below & 3u)));
  return float_of(select(shared | shared >> 1, of_pair, independent));
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

struct uniform_numbers {
  std::uint64_t state;

  HEDDLE_IN_CLONE void take(float* numbers, std::size_t count) {
    std::array<std::uint32_t, block> random;
    draw(state, random.data(), count);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = uniform(random[i]);
    state += golden_gamma * count;
  }
};

struct spread_numbers {
  std::uint64_t own_state, shared_state;
  std::uint32_t rank, small;

  HEDDLE_IN_CLONE void take(float* numbers, std::size_t count) {
    std::array<std::uint32_t, block> own, shared;
    draw(own_state, own.data(), count);
    draw(shared_state, shared.data(), count);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = spread(own[i], shared[i], rank, small);
    own_state += golden_gamma * count;
    shared_state += golden_gamma * count;
  }
};

// Several loops, because other vectors do for the conversions.
template <typename Word, typename Source, typename Convert>
HEDDLE_IN_CLONE void fill(void* data, std::size_t elements, Source source, Convert convert) {
  std::array<float, block> numbers;
  auto* bytes = static_cast<unsigned char*>(data);
  while (elements > 0) {
    const std::size_t count = std::min(elements, block);
    source.take(numbers.data(), count);
    for (std::size_t i = 0; i < count; ++i) {
      const Word word = convert(numbers[i]);
      std::memcpy(bytes + i * sizeof word, &word, sizeof word);
    }
    bytes += count * sizeof(Word);
    elements -= count;
  }
}

template <typename Source>
HEDDLE_IN_CLONE void fill_floats(dtype type, void* data, std::size_t elements, Source source) {
  switch (type) {
    case dtype::fp16:
      return fill<std::uint16_t>(data, elements, source,
                                 [](float number) { return fp32_to_fp16(cut(number, 13)); });
    case dtype::bf16:
      return fill<std::uint16_t>(data, elements, source,
                                 [](float number) { return fp32_to_bf16(cut(number, 16)); });
    case dtype::fp32:
      return fill<float>(data, elements, source, [](float number) { return number; });
    case dtype::fp64:
      return fill<double>(data, elements, source, [](float number) {
        return static_cast<double>(number) / 3;  // fills the fraction: sums round
      });
    case dtype::fp8:
      return fill<std::uint8_t>(data, elements, source,
                                [](float number) { return fp32_to_fp8(cut(number, 21)); });
    case dtype::int32:
      break;
  }
  assert(false);
}

void fill_words(void* data, std::size_t elements, std::uint64_t state) {
  std::array<std::uint32_t, block> random;
  auto* bytes = static_cast<unsigned char*>(data);
  for (std::size_t count; elements > 0; elements -= count) {
    count = std::min(elements, block);
    draw(state, random.data(), count);
    std::memcpy(bytes, random.data(), count * sizeof random[0]);
    state += golden_gamma * count;
    bytes += count * sizeof random[0];
  }
}

// So that a sum of the largest small number of a type with a number from 4 to 8 loses bits: in fp32
// those below 2^-21, or else in the type itself.
std::uint32_t small_exponent(dtype type) {
  switch (type) {
    case dtype::fp16:
      return 0u - 13;  // of 11 bits the lowest is 2^-23
    case dtype::bf16:
      return 0u - 17;  // of 8 bits the lowest is 2^-24
    default:
      return 0u - 5;
  }
}

// A stream of its own: ranks have smaller numbers.
constexpr std::uint64_t all_ranks = UINT64_MAX - 1;

}  // namespace

HEDDLE_CLONE_FOR_VECTORS void fill_random(dtype type, void* data, std::size_t elements,
                                          std::uint64_t seed, std::uint64_t rank,
                                          std::uint64_t offset) {
  const auto at_offset = [&](std::uint64_t stream) {
    return split_mix::start_of_stream(seed, stream) + golden_gamma * offset;
  };
  if (type == dtype::int32) return fill_words(data, elements, at_offset(rank));
  fill_floats(type, data, elements,
              spread_numbers{at_offset(rank), at_offset(all_ranks),
                             static_cast<std::uint32_t>(rank), small_exponent(type)});
}

HEDDLE_CLONE_FOR_VECTORS void fill_uniform(dtype type, void* data, std::size_t elements,
                                           std::uint64_t seed, std::uint64_t rank,
                                           std::uint64_t offset) {
  const std::uint64_t state = split_mix::start_of_stream(seed, rank) + golden_gamma * offset;
  if (type == dtype::int32) return fill_words(data, elements, state);
  fill_floats(type, data, elements, uniform_numbers{state});
}

}  // namespace heddle
