#include "platform/tensor/compare.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "platform/tensor/float_bits.hpp"
#include "platform/tensor/vector_clones.hpp"

namespace heddle {
namespace {

template <typename Format>
struct float_distance {
  using word = typename Format::word;
  static constexpr word sign = static_cast<word>(~(static_cast<word>(~word{0}) >> 1));
  static constexpr word magnitude = static_cast<word>(~sign);

  // Consecutive numbers for consecutive values, both zeros at 0.
  static std::int64_t position(word bits) {
    const auto steps = static_cast<std::int64_t>(bits & magnitude);
    return (bits & sign) != 0 ? -steps : steps;
  }

  static std::uint64_t between(word a, word b) {
    const bool a_is_nan = (a & magnitude) > Format::infinity;
    const bool b_is_nan = (b & magnitude) > Format::infinity;
    if (a_is_nan || b_is_nan) return a_is_nan && b_is_nan ? 0 : UINT64_MAX;
    // Doubles of opposite signs lie further apart than a signed number says.
    const auto x = static_cast<std::uint64_t>(position(a));
    const auto y = static_cast<std::uint64_t>(position(b));
    return position(a) > position(b) ? x - y : y - x;
  }
};

struct integer_distance {
  using word = std::int32_t;
  static std::uint64_t between(word a, word b) {
    return static_cast<std::uint64_t>(std::abs(std::int64_t{a} - std::int64_t{b}));
  }
};

template <typename Distance>
comparison count_differences(const void* got, const void* expected, std::size_t elements) {
  using word = typename Distance::word;
  const auto* got_bytes = static_cast<const unsigned char*>(got);
  const auto* expected_bytes = static_cast<const unsigned char*>(expected);
  comparison result;
  result.first_difference = elements;
  for (std::size_t i = 0; i < elements; ++i) {
    word a;
    word b;
    std::memcpy(&a, got_bytes + i * sizeof a, sizeof a);
    std::memcpy(&b, expected_bytes + i * sizeof b, sizeof b);
    if (a == b) continue;
    if (result.identical) result.first_difference = i;
    result.identical = false;
    ++result.mismatches;
    result.max_ulp = std::max(result.max_ulp, Distance::between(a, b));
  }
  return result;
}

// Leaves in `values` the squares of what they are off and in `norms` those of the reference. An
// infinity where one is expected counts for neither.
HEDDLE_CLONE_FOR_VECTORS void square_errors(double* values, const double* reference, double* norms,
                                            std::size_t count) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < count; ++i) {
    const double expected = reference[i];
    const bool counts = !(std::fabs(expected) == infinity && values[i] == expected);
    const double difference = values[i] - expected;
    values[i] = counts ? difference * difference : 0;
    norms[i] = counts ? expected * expected : 0;
  }
}

}  // namespace

comparison compare(dtype type, const void* got, const void* expected, std::size_t elements) {
  if (elements == 0 || std::memcmp(got, expected, elements * size_of(type)) == 0) {
    comparison same;
    same.first_difference = elements;
    return same;
  }
  switch (type) {
    case dtype::fp16:
      return count_differences<float_distance<fp16_format>>(got, expected, elements);
    case dtype::bf16:
      return count_differences<float_distance<bf16_format>>(got, expected, elements);
    case dtype::fp32:
      return count_differences<float_distance<fp32_format>>(got, expected, elements);
    case dtype::fp64:
      return count_differences<float_distance<fp64_format>>(got, expected, elements);
    case dtype::fp8:
      return count_differences<float_distance<fp8_format>>(got, expected, elements);
    case dtype::int32:
      return count_differences<integer_distance>(got, expected, elements);
  }
  assert(false);
  return {};
}

void error_norm::add(dtype type, const void* got, const double* reference, std::size_t elements) {
  constexpr std::size_t block = 1024;
  std::array<double, block> values, norms;
  const auto* bytes = static_cast<const unsigned char*>(got);
  for (std::size_t begin = 0; begin < elements; begin += block) {
    const std::size_t count = std::min(block, elements - begin);
    to_double(type, bytes + begin * size_of(type), values.data(), count);
    square_errors(values.data(), reference + begin, norms.data(), count);
    for (std::size_t i = 0; i < count; ++i) {  // in order, which rounding depends on
      error_ += values[i];
      norm_ += norms[i];
    }
  }
}

double error_norm::relative() const {
  if (error_ == 0) return 0;
  return norm_ == 0 ? std::numeric_limits<double>::infinity() : std::sqrt(error_ / norm_);
}

double relative_error(dtype type, const void* got, const double* reference, std::size_t elements) {
  error_norm error;
  error.add(type, got, reference, elements);
  return error.relative();
}

}  // namespace heddle
