// Sizes of rings, tables and grids that are found by masks.
#pragma once

#include <cstdint>

namespace heddle {

constexpr bool is_power_of_two(std::uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

// The exponent of the largest that is not above `value`; of 0 it is 0.
constexpr int log2_of(std::uint64_t value) {
  int log = 0;
  for (; value > 1; value >>= 1) ++log;
  return log;
}

// The smallest that is not below `least`, which is 2^63 at most.
constexpr std::uint64_t power_of_two_from(std::uint64_t least) {
  std::uint64_t size = 1;
  while (size < least) size *= 2;
  return size;
}

}  // namespace heddle
