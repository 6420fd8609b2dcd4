// Round-robin choice by bit mask.
#pragma once

#include <cstdint>

namespace heddle {

// The first set bit at or after `from`, cyclically. `mask` is not 0, `from` is below 64.
inline int round_robin(std::uint64_t mask, int from) {
  const std::uint64_t turned = mask >> from | mask << (-from & 63);
  return (__builtin_ctzll(turned) + from) & 63;
}

}  // namespace heddle
