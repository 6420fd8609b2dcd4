// Pending property requests of one RIG unit (NetSparse 5.2): a content-addressed table, found by
// index to coalesce, and by index and slot to take a response. An identifier holds kernel, epoch
// and slot, so that a response to a command that has failed is recognized.
//
// A hash table with linear probing that is at most half full: most questions read one cache line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

class pending_table {
 public:
  static constexpr std::uint32_t most_slots = 1 << 16;

  explicit pending_table(std::uint32_t slots) : slots_(slots) {
    std::size_t cells = 4;
    while (cells < 2 * std::size_t{slots}) cells *= 2;
    indices_.resize(cells);
    slots_of_.resize(cells);
    free_.reserve(slots);
    clear();
  }

  bool full() const { return free_.empty(); }
  bool empty() const { return free_.size() == slots_; }
  std::uint32_t size() const { return slots_ - static_cast<std::uint32_t>(free_.size()); }

  bool holds(std::uint64_t index) const {
    for (std::size_t at = home_of(index); indices_[at] != none; at = next(at))
      if (indices_[at] == index) return true;
    return false;
  }
  // The processor may fetch the place where that index would be: it will be asked for.
  void prefetch(std::uint64_t index) const { __builtin_prefetch(&indices_[home_of(index)], 1); }

  // Not full. Returns the slot.
  std::uint32_t insert(std::uint64_t index) {
    const std::uint16_t slot = free_.back();
    free_.pop_back();
    std::size_t at = home_of(index);
    while (indices_[at] != none) at = next(at);
    indices_[at] = index;
    slots_of_[at] = slot;
    return slot;
  }

  // Whether the slot holds that index.
  bool is(std::uint32_t slot, std::uint64_t index) const {
    return indices_[cell_of(slot, index)] != none;
  }

  // The slot holds that index.
  void remove(std::uint32_t slot, std::uint64_t index) {
    std::size_t hole = cell_of(slot, index);
    free_.push_back(slots_of_[hole]);
    // What follows without a gap moves up, unless it would come before its home.
    for (std::size_t at = next(hole); indices_[at] != none; at = next(at)) {
      const std::size_t home = home_of(indices_[at]);
      if (((at - home) & mask()) < ((at - hole) & mask())) continue;
      indices_[hole] = indices_[at];
      slots_of_[hole] = slots_of_[at];
      hole = at;
    }
    indices_[hole] = none;
  }

  void clear() {
    free_.clear();
    for (std::uint32_t slot = slots_; slot-- > 0;)
      free_.push_back(static_cast<std::uint16_t>(slot));
    indices_.assign(indices_.size(), none);
  }

 private:
  static constexpr std::uint64_t none = UINT64_MAX;  // the index of no column

  std::size_t mask() const { return indices_.size() - 1; }
  std::size_t next(std::size_t at) const { return (at + 1) & mask(); }
  std::size_t home_of(std::uint64_t index) const {
    return static_cast<std::size_t>(index * 0x9e3779b97f4a7c15 >> 40) & mask();
  }
  // An empty cell where the slot does not hold that index.
  std::size_t cell_of(std::uint32_t slot, std::uint64_t index) const {
    std::size_t at = home_of(index);
    while (indices_[at] != none && (indices_[at] != index || slots_of_[at] != slot)) at = next(at);
    return at;
  }

  std::uint32_t slots_;
  std::vector<std::uint64_t> indices_;   // a power of two of cells
  std::vector<std::uint16_t> slots_of_;  // by cell
  std::vector<std::uint16_t> free_;      // slots
};

}  // namespace heddle
