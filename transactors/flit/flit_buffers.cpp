#include "transactors/flit/flit_buffers.hpp"

#include <type_traits>

#include "platform/pool/zero_pages.hpp"

namespace heddle {

flit_buffers::~flit_buffers() {
  for (std::byte* each : blocks_) unmap(each, block_bytes);
}

flit* flit_buffers::take(std::size_t cells) {
  // Buffers lie an odd number of cache lines apart. Most flits are in the first line of theirs, and
  // these would share few sets of the cache otherwise.
  constexpr std::size_t line = 64;
  const std::size_t lines = (cells * sizeof(flit) + line - 1) / line | 1;
  const std::size_t bytes = lines * line;
  if (used_ + bytes > block_bytes) {
    blocks_.push_back(map_zeros(block_bytes));
    used_ = 0;
  }
  // No constructor runs, since that would touch the pages. A flit is written before it is read.
  static_assert(std::is_trivially_copyable_v<flit> && std::is_trivially_destructible_v<flit>);
  auto* const taken = reinterpret_cast<flit*>(blocks_.back() + used_);
  used_ += bytes;
  return taken;
}

}  // namespace heddle
