// Changes that wait until no earlier one can come any more. Models report the present and the
// future in any order, but many changes share an instant: a packet sets several signals when it
// starts and when it ends, and several packets start at once. So a heap orders the instants alone,
// and each instant keeps its changes in the order in which they were reported.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/pool/object_pool.hpp"
#include "platform/time/fs_time.hpp"

namespace heddle {

struct trace_channel;

struct pending_change {
  pending_change(std::uint64_t value, trace_channel& of) : bits(value), channel(&of) {}
  std::uint64_t bits;
  trace_channel* channel;
};

class reorder_buffer {
 public:
  void add(fs_t when, std::uint64_t bits, trace_channel& channel) {
    instant*& recent = recent_[index_of(when)];
    if (!recent || recent->when != when) recent = &open(when);
    recent->changes.emplace_back(bits, channel);
  }

  // fs_never if nothing waits.
  fs_t next_time() const { return order_.empty() ? fs_never : order_.front().when; }

  // Hands every change of the next time to `visit`, in the order of their reports.
  template <class Visitor>
  void take_next(Visitor&& visit) {
    for (const fs_t when = next_time(); !order_.empty() && order_.front().when == when;) {
      instant& next = *order_.front().what;
      for (const pending_change& each : next.changes) visit(each);
      close(next);
    }
  }

 private:
  struct instant {
    fs_t when = 0;
    std::vector<pending_change> changes;
    void clear() { changes.clear(); }
  };
  struct entry {
    fs_t when;
    std::uint64_t sequence;
    instant* what;
  };
  // An object and not a function, so that the heap inlines it.
  struct is_later {
    bool operator()(const entry& a, const entry& b) const {
      return a.when != b.when ? a.when > b.when : a.sequence > b.sequence;
    }
  };

  static constexpr int recent_bits = 8;
  static std::size_t index_of(fs_t when) {
    return (when * 0x9e3779b97f4a7c15) >> (64 - recent_bits);
  }

  instant& open(fs_t when) {
    instant& opened = instants_.take();
    opened.when = when;
    order_.push_back({when, sequence_++, &opened});
    std::push_heap(order_.begin(), order_.end(), is_later{});
    return opened;
  }
  // Of the first in the order.
  void close(instant& closed) {
    std::pop_heap(order_.begin(), order_.end(), is_later{});
    order_.pop_back();
    instant*& recent = recent_[index_of(closed.when)];
    if (recent == &closed) recent = nullptr;
    instants_.give_back(closed);
  }

  object_pool<instant> instants_;
  std::vector<entry> order_;  // a heap
  std::uint64_t sequence_ = 0;
  // Which instant a time has, by a hash of the time. An instant that another one has displaced here
  // is opened a second time when a change comes for it: both wait, and the older one goes first.
  std::array<instant*, std::size_t{1} << recent_bits> recent_{};
};

}  // namespace heddle
