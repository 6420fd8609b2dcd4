// Pending property requests of one RIG unit (NetSparse 5.2): a content-addressed table, found by
// index to coalesce and by slot to take a response. An identifier holds kernel, epoch and slot, so
// that a response to a command that has failed is recognized.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle {

class pending_table {
 public:
  static constexpr std::uint32_t most_slots = 1 << 16;

  explicit pending_table(std::uint32_t slots) : entries_(slots), used_(slots) {
    std::uint32_t buckets = 4;
    while (buckets < 2 * slots) buckets *= 2;
    buckets_.assign(buckets, none);
    clear();
  }

  bool full() const { return free_.empty(); }
  bool empty() const { return free_.size() == entries_.size(); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size() - free_.size()); }

  bool holds(std::uint64_t index) const {
    for (std::uint32_t at = buckets_[bucket_of(index)]; at != none; at = entries_[at].next)
      if (entries_[at].index == index) return true;
    return false;
  }

  // Not full. Returns the slot.
  std::uint32_t insert(std::uint64_t index) {
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    used_[slot] = true;
    std::uint32_t& first = buckets_[bucket_of(index)];
    entries_[slot] = {index, first};
    first = slot;
    return slot;
  }

  // Whether the slot holds that index.
  bool is(std::uint32_t slot, std::uint64_t index) const {
    return slot < entries_.size() && used_[slot] && entries_[slot].index == index;
  }

  std::uint64_t index_of(std::uint32_t slot) const { return entries_[slot].index; }

  void remove(std::uint32_t slot) {
    std::uint32_t* link = &buckets_[bucket_of(entries_[slot].index)];
    while (*link != slot) link = &entries_[*link].next;
    *link = entries_[slot].next;
    used_[slot] = false;
    free_.push_back(slot);
  }

  void clear() {
    free_.clear();
    for (auto slot = static_cast<std::uint32_t>(entries_.size()); slot-- > 0;)
      free_.push_back(slot);
    used_.assign(entries_.size(), false);
    for (std::uint32_t& each : buckets_) each = none;
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  struct entry {
    std::uint64_t index = 0;
    std::uint32_t next = none;  // of those in the same bucket
  };

  std::size_t bucket_of(std::uint64_t index) const {
    return static_cast<std::size_t>(index * 0x9e3779b97f4a7c15 >> 40) & (buckets_.size() - 1);
  }

  std::vector<entry> entries_;
  std::vector<bool> used_;
  std::vector<std::uint32_t> buckets_;  // a power of two
  std::vector<std::uint32_t> free_;
};

}  // namespace heddle
