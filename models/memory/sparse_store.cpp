#include "models/memory/sparse_store.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "platform/pool/fetch_ahead.hpp"
#include "platform/services/out_of_memory.hpp"

namespace heddle {
namespace {

std::byte* map(std::size_t bytes) {
  void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw_out_of_memory();
  return static_cast<std::byte*>(mapped);
}

}  // namespace

void sparse_store::unmap::operator()(std::byte* page) const {
  munmap(page, page_bytes);
}

// Twice the size holds a page that is aligned to its size; the rest goes back.
sparse_store::mapped_page sparse_store::map_zeros(bool is_huge) {
  if (!is_huge) return mapped_page(map(page_bytes));
  std::byte* mapped = map(2 * page_bytes);
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(mapped) % page_bytes;
  if (before > 0) munmap(mapped, before);
  std::byte* aligned = mapped + before;
  munmap(aligned + page_bytes, page_bytes - before);
  madvise(aligned, page_bytes, MADV_HUGEPAGE);  // a wish: without it all is slower, not wrong
  return mapped_page(aligned);
}

sparse_store::sparse_store(std::uint64_t size)
    : size_(size), blocks_(size / page_bytes / pages_of_block + 1) {}

std::byte* sparse_store::page(std::uint64_t offset) {
  const std::uint64_t number = offset / page_bytes;
  auto& block = blocks_[number / pages_of_block];
  if (!block) block = std::make_unique<page_block>();
  mapped_page& page = (*block)[number % pages_of_block];
  if (!page) {
    page = map_zeros(size_ >= page_bytes && resident_pages_ >= small_pages);
    ++resident_pages_;
  }
  return page.get();
}

void sparse_store::read_bytes(std::uint64_t offset, void* to, std::uint64_t bytes) const {
  auto* out = static_cast<std::byte*>(to);
  while (bytes > 0) {
    const std::uint64_t in_page = offset % page_bytes;
    const std::uint64_t part = std::min(bytes, page_bytes - in_page);
    const std::byte* const page = find(offset / page_bytes);
    if (page) {
      std::memcpy(out, page + in_page, part);
      fetch_ahead(page + in_page, part);
    } else {
      std::memset(out, 0, part);
    }
    out += part;
    offset += part;
    bytes -= part;
  }
}

void sparse_store::write_bytes(std::uint64_t offset, const void* from, std::uint64_t bytes) {
  const auto* in = static_cast<const std::byte*>(from);
  while (bytes > 0) {
    const std::uint64_t in_page = offset % page_bytes;
    const std::uint64_t part = std::min(bytes, page_bytes - in_page);
    std::byte* const to = page(offset) + in_page;
    std::memcpy(to, in, part);
    fetch_ahead(to, part);
    in += part;
    offset += part;
    bytes -= part;
  }
}

}  // namespace heddle
