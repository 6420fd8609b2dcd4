#include "platform/tensor/activation.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "platform/random/split_mix.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t channels_per_outlier = 512;
constexpr std::uint64_t smallest_factor = 20;
constexpr std::uint64_t largest_factor = 100;
constexpr std::uint64_t channel_stream = ~std::uint64_t{0};  // no rank has that number

constexpr std::uint64_t degrees_of_freedom = 4;
constexpr std::uint64_t numbers_per_element = 1 + degrees_of_freedom;

// The sum of four uniform numbers of 16 bits, less its mean: close to normal.
std::int64_t bell(std::uint64_t random) {
  constexpr std::int64_t mean = 2 * 0xffff;
  constexpr std::uint64_t digit = 0xffff;
  return static_cast<std::int64_t>((random & digit) + (random >> 16 & digit) +
                                   (random >> 32 & digit) + (random >> 48)) -
         mean;
}

// The scale of the bell cancels. The 1 keeps the quotient finite.
float student_t(std::uint64_t stream, std::uint64_t element) {
  const std::uint64_t first = element * numbers_per_element;
  std::int64_t squares = 1;
  for (std::uint64_t i = 1; i <= degrees_of_freedom; ++i) {
    const std::int64_t each = bell(split_mix::output(stream, first + i));
    squares += each * each;
  }
  const auto numerator = static_cast<double>(bell(split_mix::output(stream, first)));
  const double mean_square = static_cast<double>(squares) / double{degrees_of_freedom};
  return static_cast<float>(numerator / std::sqrt(mean_square));
}

}  // namespace

float channel_factor(std::uint64_t seed, std::uint64_t channel) {
  const std::uint64_t stream = split_mix::start_of_stream(seed, channel_stream);
  const std::uint64_t random = split_mix::output(stream, channel);
  if (random % channels_per_outlier != 0) return 1;
  return static_cast<float>(smallest_factor +
                            (random >> 32) % (largest_factor - smallest_factor + 1));
}

void fill_activation(dtype type, void* data, std::size_t elements, std::uint64_t seed,
                     std::uint64_t rank, std::uint64_t offset, std::size_t hidden_size) {
  assert(type == dtype::fp16 || type == dtype::bf16 || type == dtype::fp32);
  assert(hidden_size > 0);
  constexpr std::size_t block = 256;
  std::array<float, block> values;
  const std::uint64_t stream = split_mix::start_of_stream(seed, rank);
  auto* bytes = static_cast<unsigned char*>(data);
  for (std::size_t begin = 0; begin < elements; begin += block) {
    const std::size_t count = std::min(block, elements - begin);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t element = offset + begin + i;
      values[i] = student_t(stream, element) * channel_factor(seed, element % hidden_size);
    }
    from_float(type, values.data(), bytes + begin * size_of(type), count);
  }
}

}  // namespace heddle
