#include "platform/run/huge_heap.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace heddle {

// The heap grows by nearly two gigabytes of addresses at once, of which pages come into being when
// they are touched: later growth would be another mapping, without huge pages. A longer free
// stretch than INT_MAX, which is the largest M_TRIM_THRESHOLD, malloc would give back at once.
void ask_for_huge_heap() {
  constexpr int stretch = 2000 << 20, usual_stretch = 128 << 10, largest_on_heap = 32 << 20;
  constexpr std::size_t more_than_is_free = 4 << 20;
  constexpr std::uintptr_t huge_page = 2 << 20;
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_MMAP_THRESHOLD, largest_on_heap);
  mallopt(M_TOP_PAD, stretch);
  auto* const before = static_cast<std::byte*>(sbrk(0));
  void* volatile grown = std::malloc(more_than_is_free);  // or the compiler leaves out the pair
  std::free(grown);
  auto* const after = static_cast<std::byte*>(sbrk(0));
  mallopt(M_TOP_PAD, usual_stretch);
  const std::size_t to_boundary = huge_page - reinterpret_cast<std::uintptr_t>(before) % huge_page;
  if (after - before > stretch)
    madvise(before + to_boundary, static_cast<std::size_t>(after - before) - to_boundary,
            MADV_HUGEPAGE);
}

}  // namespace heddle
