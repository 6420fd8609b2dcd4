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

}  // namespace heddle
