// Pending property requests of one RIG unit (NetSparse 5.2): a content-addressed table, found by
// index to coalesce, and by index and slot to take a response. An identifier holds kernel, epoch
// and slot, so that a response to a command that has failed is recognized.
//
// A hash table with linear probing that is at most half full. Its cells are small, because a
// cluster has thousands of such tables: a tag of the index, whose upper bits say where the search
// begins, and the slot, which has the index itself.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/number/power_of_two.hpp"

namespace heddle {

class pending_table {
 public:
  static constexpr std::uint32_t most_slots = 1 << 16;

  explicit pending_table(std::uint32_t slots) : indices_(slots) {
    cells_.resize(std::max<std::size_t>(4, power_of_two_from(2 * std::uint64_t{slots})));
    free_.reserve(slots);
    clear();
  }

  bool full() const { return free_.empty(); }
  bool empty() const { return free_.size() == indices_.size(); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(indices_.size() - free_.size()); }

  bool holds(std::uint64_t index) const {
    const std::uint32_t tag = tag_of(index);
    for (std::size_t at = home_of(tag); cells_[at] != none; at = next(at))
      if (cells_[at] >> slot_bits == tag && indices_[cells_[at] & slot_mask] == index) return true;
    return false;
  }
  // The processor may fetch the place where that index would be: it will be asked for.
  void prefetch(std::uint64_t index) const {
    __builtin_prefetch(&cells_[home_of(tag_of(index))], 1);
  }
  // Prefetches what is() and remove() read of the slot.
  void prefetch_slot(std::uint32_t slot) const {
    if (slot < indices_.size()) __builtin_prefetch(&indices_[slot], 1);
  }
  void prefetch(std::uint32_t slot, std::uint64_t index) const {
    prefetch(index);
    prefetch_slot(slot);
  }

  // Not full. Returns the slot.
  std::uint32_t insert(std::uint64_t index) {
    const std::uint16_t slot = free_.back();
    free_.pop_back();
    const std::uint32_t tag = tag_of(index);
    std::size_t at = home_of(tag);
    while (cells_[at] != none) at = next(at);
    cells_[at] = cell(tag, slot);
    indices_[slot] = index;
    return slot;
  }

  // Whether the slot holds that index.
  bool is(std::uint32_t slot, std::uint64_t index) const {
    return slot < indices_.size() && indices_[slot] == index;
  }

  // The slot holds that index.
  void remove(std::uint32_t slot, std::uint64_t index) {
    const std::uint32_t tag = tag_of(index);
    std::size_t hole = home_of(tag);
    while (cells_[hole] != cell(tag, slot)) hole = next(hole);
    indices_[slot] = no_index;
    free_.push_back(static_cast<std::uint16_t>(slot));
    // What follows without a gap moves up, unless it would come before its home.
    for (std::size_t at = next(hole); cells_[at] != none; at = next(at)) {
      const std::size_t home = home_of(cells_[at] >> slot_bits);
      if (((at - home) & mask()) < ((at - hole) & mask())) continue;
      cells_[hole] = cells_[at];
      hole = at;
    }
    cells_[hole] = none;
  }

  void clear() {
    free_.clear();
    for (std::size_t slot = indices_.size(); slot-- > 0;)
      free_.push_back(static_cast<std::uint16_t>(slot));
    indices_.assign(indices_.size(), no_index);
    cells_.assign(cells_.size(), none);
  }

 private:
  static constexpr std::uint64_t no_index = UINT64_MAX;  // the index of no column

  static constexpr unsigned slot_bits = 16, tag_bits = 16;
  static constexpr std::uint32_t slot_mask = most_slots - 1;
  static constexpr std::uint32_t none = UINT32_MAX;  // no cell has it: see tag_of()
  static std::uint32_t cell(std::uint32_t tag, std::uint32_t slot) {
    return tag << slot_bits | slot;
  }
  static std::uint32_t tag_of(std::uint64_t index) {
    constexpr std::uint32_t largest = (1U << tag_bits) - 2;
    return std::min(static_cast<std::uint32_t>(index * 0x9e3779b97f4a7c15 >> 48), largest);
  }

  std::size_t mask() const { return cells_.size() - 1; }
  std::size_t next(std::size_t at) const { return (at + 1) & mask(); }
  std::size_t home_of(std::uint32_t tag) const { return tag * cells_.size() >> tag_bits; }

  std::vector<std::uint32_t> cells_;    // a power of two
  std::vector<std::uint64_t> indices_;  // by slot
  std::vector<std::uint16_t> free_;     // slots
};

}  // namespace heddle
