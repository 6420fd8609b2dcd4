#include "platform/pool/zero_pages.hpp"

#include <sys/mman.h>

#include <cstdint>

#include "platform/pool/out_of_memory.hpp"

namespace heddle {

std::byte* map_zeros(std::size_t bytes) {
  void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw_out_of_memory();
  return static_cast<std::byte*>(mapped);
}

// A huge page more than that holds an aligned piece; what lies around it goes back.
std::byte* map_huge_zeros(std::size_t bytes) {
  std::byte* const mapped = map_zeros(bytes + huge_page_bytes);
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(mapped) % huge_page_bytes;
  if (before > 0) unmap(mapped, before);
  std::byte* const aligned = mapped + before;
  unmap(aligned + bytes, huge_page_bytes - before);
  madvise(aligned, bytes, MADV_HUGEPAGE);  // a wish: without it all is slower, not wrong
  return aligned;
}

void unmap(std::byte* mapped, std::size_t bytes) {
  munmap(mapped, bytes);
}

}  // namespace heddle
