#include "transactors/packet/payload.hpp"

#include <array>
#include <new>

namespace heddle {
namespace {

constexpr std::uint32_t smallest_class = 6;  // 64 B

std::uint32_t size_class_of(std::uint32_t bytes) {
  std::uint32_t size_class = smallest_class;
  while ((1ULL << size_class) < bytes) ++size_class;
  return size_class;
}

}  // namespace

// Freed blocks wait here for the next packet of their size; the process returns them at its end.
static std::array<void*, 33> free_blocks{};

payload_slice payload_slice::allocate(std::uint32_t bytes) {
  const std::uint32_t size_class = size_class_of(bytes);
  auto* fresh = static_cast<block*>(free_blocks[size_class]);
  if (fresh) {
    free_blocks[size_class] = fresh->next_free;
  } else {
    fresh = static_cast<block*>(::operator new(sizeof(block) + (1ULL << size_class)));
    fresh->size_class = size_class;
  }
  fresh->references = 1;
  payload_slice slice;
  slice.block_ = fresh;
  slice.data_ = reinterpret_cast<std::byte*>(fresh + 1);
  return slice;
}

void payload_slice::release(block* unused) {
  unused->next_free = static_cast<block*>(free_blocks[unused->size_class]);
  free_blocks[unused->size_class] = unused;
}

}  // namespace heddle
