#include "platform/tensor/reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "platform/tensor/vector_clones.hpp"

namespace heddle {
namespace {

// Exact: a sum of 2^21 ranks still fits into a double's 53 bits.
double wrapped(double sum) {
  const double turns = std::floor((sum + 0x1p31) / 0x1p32);
  return sum - turns * 0x1p32;
}

HEDDLE_CLONE_FOR_VECTORS void add(double* sums, const double* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sums[i] += values[i];
}

}  // namespace

void float64_sum(dtype type, const rank_inputs& inputs, std::size_t begin, std::size_t count,
                 double* sum) {
  constexpr std::size_t block = 1024;
  std::array<double, block> contribution;
  std::fill_n(sum, count, 0.0);
  for (std::size_t done = 0; done < count; done += block) {
    const std::size_t part = std::min(block, count - done);
    for (const std::byte* input : inputs) {
      to_double(type, input + (begin + done) * size_of(type), contribution.data(), part);
      add(sum + done, contribution.data(), part);
    }
  }
  if (type == dtype::int32) std::transform(sum, sum + count, sum, wrapped);
}

std::vector<double> float64_sum(dtype type, const rank_inputs& inputs, std::size_t elements) {
  std::vector<double> sum(elements);
  float64_sum(type, inputs, 0, elements, sum.data());
  return sum;
}

}  // namespace heddle
