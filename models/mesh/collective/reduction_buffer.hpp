// Where a router gathers the contributions to its reductions: an entry a flit of the result, with
// what has arrived of it. A contribution leaves its input FIFO as soon as it has an entry, so flits
// behind it do not wait for the members that are late. That is what lets reductions whose paths
// cross meet at two inputs in different orders: synchronizing at the heads of the FIFOs alone
// would have each wait for what is behind the other.
//
// Limitations: entries are found by a linear search, oldest first; there are few at a time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/mesh/mesh_ports.hpp"

namespace heddle {

struct reduction_entry {
  flit header;
  std::array<payload_handle, mesh_directions> operands{};  // by input
  port_mask expected = 0, arrived = 0;
  std::uint8_t output = 0;
  bool is_complete() const { return arrived == expected; }
};

// Whether two flits are contributions to the same packet of the same reduction.
inline bool is_same_reduction(const flit& a, const flit& b) {
  return a.tag == b.tag && a.op == b.op && a.destination == b.destination && a.mask == b.mask &&
         is_member(a.source, b.source, b.mask);
}

class reduction_buffer {
 public:
  reduction_buffer() { entries_.reserve(16); }
  void set_capacity(std::size_t entries) { capacity_ = entries; }

  bool empty() const { return entries_.empty(); }
  bool is_full() const { return entries_.size() == capacity_; }
  const std::vector<reduction_entry>& entries() const { return entries_; }
  std::size_t bytes() const { return entries_.capacity() * sizeof(reduction_entry); }

  // The oldest entry that the contribution of this input belongs to, or nullptr.
  reduction_entry* find(const flit& contribution, int input) {
    for (reduction_entry& each : entries_)
      if (!(each.arrived >> input & 1) && is_same_reduction(each.header, contribution))
        return &each;
    return nullptr;
  }
  // The buffer is not full.
  reduction_entry& add(const flit& header, port_mask expected, int output) {
    reduction_entry& added = entries_.emplace_back();
    added.header = header;
    added.expected = expected;
    added.output = static_cast<std::uint8_t>(output);
    return added;
  }
  void remove(const reduction_entry& done) {
    entries_.erase(entries_.begin() + (&done - entries_.data()));
  }

 private:
  std::size_t capacity_ = SIZE_MAX;
  std::vector<reduction_entry> entries_;  // oldest first
};

}  // namespace heddle
