// Payload is moved in large pieces that mostly follow each other, and between two of them the
// simulation is busy with other things for microseconds. Asking for the next piece right after one
// has been moved hides what the host's memory takes to deliver it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace heddle {

// Brings a piece into the cache of the second level, or the first 4 KiB of it.
inline void fetch_piece(const void* first, std::uint64_t bytes) {
  constexpr std::uint64_t line_bytes = 64, most = 4096;
  const auto begin = reinterpret_cast<std::uintptr_t>(first);
  for (std::uintptr_t line = begin; line < begin + std::min(bytes, most); line += line_bytes)
    __builtin_prefetch(reinterpret_cast<const void*>(line), 0, 2);  // NOLINT: only asked for
}

// Fetches as many bytes as have just been moved, from behind them. Small pieces are left to the
// processor's own prefetchers.
inline void fetch_ahead(const void* moved, std::uint64_t bytes) {
  constexpr std::uint64_t least = 1024;
  if (bytes >= least) fetch_piece(static_cast<const char*>(moved) + bytes, bytes);
}

}  // namespace heddle
