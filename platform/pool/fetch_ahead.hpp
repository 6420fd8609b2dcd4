// Payload is moved in large pieces that mostly follow each other, and between two of them the
// simulation is busy with other things for microseconds. Asking for the next piece right after one
// has been moved hides what the host's memory takes to deliver it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace heddle {

// Fetches as many bytes as have just been moved, from behind them, into the cache of the second
// level. Small pieces are left to the processor's own prefetchers.
inline void fetch_ahead(const void* moved, std::uint64_t bytes) {
  constexpr std::uint64_t least = 1024, most = 4096, line_bytes = 64;
  if (bytes < least) return;
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(moved) + bytes;
  const std::uintptr_t end = begin + std::min(bytes, most);
  for (std::uintptr_t line = begin; line < end; line += line_bytes)
    __builtin_prefetch(reinterpret_cast<const void*>(line), 0, 2);  // NOLINT: only asked for
}

}  // namespace heddle
