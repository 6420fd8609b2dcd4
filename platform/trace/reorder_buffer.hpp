// Changes that wait until no earlier one can come any more. Models report the present and the
// future in any order, but the present never goes back: so reports of the present are sorted as
// they come, and only those of the future need a heap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "platform/time/fs_time.hpp"

namespace heddle {

struct trace_channel;

struct pending_change {
  fs_t when;
  std::uint64_t sequence;
  std::uint64_t bits;
  trace_channel* channel;
};

class reorder_buffer {
 public:
  void add_present(fs_t now, std::uint64_t bits, trace_channel* channel) {
    present_.push_back({now, 0, bits, channel});
  }

  void add_future(fs_t when, std::uint64_t bits, trace_channel* channel) {
    future_.push_back({when, sequence_++, bits, channel});
    std::push_heap(future_.begin(), future_.end(), is_later{});
  }

  // fs_never if nothing waits.
  fs_t next_time() const {
    const fs_t present = first_ < present_.size() ? present_[first_].when : fs_never;
    const fs_t future = future_.empty() ? fs_never : future_.front().when;
    return std::min(present, future);
  }

  // At equal times the future goes first: it was reported before that time came.
  pending_change take() {
    if (!future_.empty() &&
        (first_ == present_.size() || future_.front().when <= present_[first_].when)) {
      std::pop_heap(future_.begin(), future_.end(), is_later{});
      const pending_change change = future_.back();
      future_.pop_back();
      return change;
    }
    const pending_change change = present_[first_++];
    if (first_ == present_.size()) {
      present_.clear();
      first_ = 0;
    }
    return change;
  }

  // Gives the room of taken changes back; the rest is what the current time reported.
  void compact() {
    present_.erase(present_.begin(), present_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }

 private:
  // An object and not a function, so that the heap inlines it.
  struct is_later {
    bool operator()(const pending_change& a, const pending_change& b) const {
      return a.when != b.when ? a.when > b.when : a.sequence > b.sequence;
    }
  };

  std::vector<pending_change> present_;
  std::size_t first_ = 0;  // of present_ that still waits
  std::vector<pending_change> future_;
  std::uint64_t sequence_ = 0;
};

}  // namespace heddle
