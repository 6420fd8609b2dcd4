// Who reduces which elements: the cuts that every collective algorithm shares with its golden.
#pragma once

#include <cstddef>

namespace heddle {

struct element_range {
  std::size_t begin = 0;
  std::size_t count = 0;
};

// Chunk of a tensor cut into as many chunks as ranks; the first (elements mod ranks) chunks are one
// element longer. Chunks may be empty.
element_range chunk_range(std::size_t elements, std::size_t ranks, std::size_t chunk);

// The chunk that is complete at the rank after a ring reduce-scatter: chunk c starts at rank c,
// moves to c+1, c+2, ... and ends at rank c+N-1.
constexpr std::size_t ring_complete_chunk(std::size_t ranks, std::size_t rank) {
  return (rank + 1) % ranks;
}

}  // namespace heddle
