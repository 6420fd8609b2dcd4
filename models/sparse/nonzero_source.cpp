#include "models/sparse/nonzero_source.hpp"

namespace heddle {

std::uint64_t nonzero_source::nonzeros() const {
  std::uint64_t sum = 0;
  for (std::uint32_t node = 0; node < nodes(); ++node) sum += nonzeros_of(node);
  return sum;
}

}  // namespace heddle
