#include "models/workloads/collective/golden/partition.hpp"

#include <algorithm>
#include <cassert>

namespace heddle {

element_range chunk_range(std::size_t elements, std::size_t ranks, std::size_t chunk) {
  assert(chunk < ranks);
  const std::size_t shorter = elements / ranks;
  const std::size_t longer_chunks = elements % ranks;
  return {chunk * shorter + std::min(chunk, longer_chunks),
          shorter + (chunk < longer_chunks ? 1 : 0)};
}

element_range halving_range(std::size_t elements, std::size_t ranks, std::size_t rank) {
  assert(rank < ranks && (ranks & (ranks - 1)) == 0);
  element_range range{0, elements};
  for (std::size_t distance = ranks / 2; distance > 0; distance /= 2) {
    const std::size_t lower = range.count / 2;
    if ((rank & distance) == 0) {
      range.count = lower;
    } else {
      range = {range.begin + lower, range.count - lower};
    }
  }
  return range;
}

}  // namespace heddle
