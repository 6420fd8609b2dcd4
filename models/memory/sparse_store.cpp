#include "models/memory/sparse_store.hpp"

#include <algorithm>
#include <cstring>

namespace heddle {

sparse_store::sparse_store(std::uint64_t size)
    : size_(size), pages_((size + page_bytes - 1) / page_bytes) {}

std::byte* sparse_store::page(std::uint64_t offset) {
  auto& slot = pages_[offset / page_bytes];
  if (!slot) {
    slot = std::make_unique<std::byte[]>(page_bytes);  // zeroed
    ++resident_pages_;
  }
  return slot.get();
}

void sparse_store::read(std::uint64_t offset, void* to, std::uint64_t bytes) const {
  auto* out = static_cast<std::byte*>(to);
  while (bytes > 0) {
    const std::uint64_t in_page = offset % page_bytes;
    const std::uint64_t part = std::min(bytes, page_bytes - in_page);
    const auto& slot = pages_[offset / page_bytes];
    if (slot)
      std::memcpy(out, slot.get() + in_page, part);
    else
      std::memset(out, 0, part);
    out += part;
    offset += part;
    bytes -= part;
  }
}

void sparse_store::write(std::uint64_t offset, const void* from, std::uint64_t bytes) {
  const auto* in = static_cast<const std::byte*>(from);
  while (bytes > 0) {
    const std::uint64_t in_page = offset % page_bytes;
    const std::uint64_t part = std::min(bytes, page_bytes - in_page);
    std::memcpy(page(offset) + in_page, in, part);
    in += part;
    offset += part;
    bytes -= part;
  }
}

}  // namespace heddle
