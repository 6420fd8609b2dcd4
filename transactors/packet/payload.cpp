#include "transactors/packet/payload.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <new>

#include "platform/pool/zero_pages.hpp"

namespace heddle {
namespace {

constexpr std::uint32_t smallest_class = 6;  // 64 B

std::uint32_t size_class_of(std::uint32_t bytes) {
  std::uint32_t size_class = smallest_class;
  while ((1ULL << size_class) < bytes) ++size_class;
  return size_class;
}

// From slabs, each twice as large as the one before, up to a huge page: a run of a few frames is
// small, and one of gigabytes does not touch them one by one.
std::byte* make_frame() {
  constexpr std::size_t first_slab = 64 * 1024;
  static std::size_t slab_bytes = first_slab / 2;
  static std::byte *next = nullptr, *end = nullptr;
  if (next == end) {
    slab_bytes = std::min(2 * slab_bytes, huge_page_bytes);
    next = slab_bytes == huge_page_bytes ? map_huge_zeros(slab_bytes) : map_zeros(slab_bytes);
    end = next + slab_bytes;
  }
  return std::exchange(next, next + payload_slice::frame_bytes);
}

}  // namespace

// Freed blocks wait here for the next user of their size; the process returns them at its end.
static std::array<void*, 33> free_blocks{};

payload_slice payload_slice::allocate(std::uint32_t bytes) {
  const std::uint32_t size_class = size_class_of(bytes);
  auto* fresh = static_cast<block*>(free_blocks[size_class]);
  if (fresh)
    free_blocks[size_class] = fresh->next_free;
  else
    fresh = make_block(size_class);
  fresh->references = 1;
  payload_slice slice;
  slice.block_ = fresh;
  slice.data_ = fresh->bytes;
  return slice;
}

payload_slice::block* payload_slice::make_block(std::uint32_t size_class) {
  static auto* const blocks = new std::deque<block>;  // outlives whatever holds a slice
  block& fresh = blocks->emplace_back();
  fresh.size_class = size_class;
  fresh.bytes = size_class == frame_class
                    ? make_frame()
                    : static_cast<std::byte*>(::operator new(1ULL << size_class));
  return &fresh;
}

void payload_slice::own(std::uint32_t bytes) {
  if (!is_shared()) return;
  payload_slice copy = allocate(bytes);
  std::memcpy(copy.data(), data_, bytes);
  *this = std::move(copy);
}

void payload_slice::release(block* unused) {
  unused->next_free = static_cast<block*>(free_blocks[unused->size_class]);
  free_blocks[unused->size_class] = unused;
}

}  // namespace heddle
