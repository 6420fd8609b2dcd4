#include "platform/tensor/reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle {
namespace {

// Exact: a sum of 2^21 ranks still fits into a double's 53 bits.
double wrapped(double sum) {
  const double turns = std::floor((sum + 0x1p31) / 0x1p32);
  return sum - turns * 0x1p32;
}

}  // namespace

std::vector<double> float64_sum(dtype type, const rank_inputs& inputs, std::size_t elements) {
  constexpr std::size_t block = 1024;
  std::array<double, block> contribution;
  std::vector<double> sum(elements, 0.0);
  for (std::size_t begin = 0; begin < elements; begin += block) {
    const std::size_t count = std::min(block, elements - begin);
    for (const std::byte* input : inputs) {
      to_double(type, input + begin * size_of(type), contribution.data(), count);
      for (std::size_t i = 0; i < count; ++i) sum[begin + i] += contribution[i];
    }
  }
  if (type == dtype::int32) std::transform(sum.begin(), sum.end(), sum.begin(), wrapped);
  return sum;
}

}  // namespace heddle
