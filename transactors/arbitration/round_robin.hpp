// Round-robin choice by bit mask.
#pragma once

#include <cstdint>

namespace heddle {

// The first set bit at or after `from`, cyclically. `mask` is not 0, `from` is below 64.
inline int round_robin(std::uint64_t mask, int from) {
  const std::uint64_t later = mask & (~std::uint64_t{0} << from);
  return __builtin_ctzll(later ? later : mask);
}

}  // namespace heddle
