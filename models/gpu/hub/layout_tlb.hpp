// The TLB of a layout manager: fully associative, the least recently used entry goes. Entries lie
// side by side and are found by a hash table of their numbers, so that a look-up touches two or
// three cache lines of the simulator's host, and a fill allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/gpu/hub/use_order.hpp"
#include "platform/random/split_mix.hpp"
#include "platform/time/fs_time.hpp"

namespace heddle {

class layout_tlb {
 public:
  struct entry {
    std::uint64_t tag = 0;
    fs_t ready = 0;
    std::uint32_t place = 0;
  };

  explicit layout_tlb(std::uint32_t entries);
  void clear();
  // The entry, which becomes the latest one; nullptr where there is none.
  const entry* find(std::uint64_t tag);
  // In place of the least recently used one. The tag is in no entry.
  void fill(const entry& added);

 private:
  // Tags of one token differ in few bits, so they are mixed.
  std::size_t home_of(std::uint64_t tag) const { return split_mix::mix(tag) & mask_; }
  void enter(std::uint32_t number);
  void erase(std::uint64_t tag);

  const std::uint32_t most_;
  std::size_t mask_ = 0;              // of slots_, whose number is a power of two
  std::vector<std::uint32_t> slots_;  // number of the entry + 1; 0: none. Linear probing
  std::vector<entry> entries_;
  use_order order_;
};

}  // namespace heddle
