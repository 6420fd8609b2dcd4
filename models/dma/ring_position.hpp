// Where a channel reads its next descriptor. Counts of descriptors run freely modulo 2^32, which is
// no multiple of most ring lengths: so the entry is kept beside the count, not computed from it.
#pragma once

#include <cstdint>

namespace heddle {

struct ring_position {
  std::uint32_t number = 0;  // of the next descriptor, as the doorbell counts them
  std::uint32_t entry = 0;   // of the ring, in which it lies

  // The entry of a descriptor that is no further than a ring behind or ahead of the next one.
  // `entries` is at least 1; it may have become smaller than `entry`, when a debugger has poked it.
  std::uint32_t entry_of(std::uint32_t descriptor, std::uint32_t entries) const {
    const std::int64_t length = entries;
    const auto ahead = static_cast<std::int32_t>(descriptor - number);
    const std::int64_t found = (entry + std::int64_t{ahead}) % length;
    return static_cast<std::uint32_t>(found < 0 ? found + length : found);
  }

  void advance(std::uint32_t descriptors, std::uint32_t entries) {
    entry = entry_of(number + descriptors, entries);
    number += descriptors;
  }
};

}  // namespace heddle
