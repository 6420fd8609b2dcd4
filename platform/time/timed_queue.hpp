// Items that become due in the future, in the order of their times (first come first among equals).
// Most come nearly in order, so insertion looks at the last few; an item that has to go further to
// the front goes into a heap, so that it costs the logarithm of the number of items at most.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <utility>
#include <vector>

#include "platform/time/agenda.hpp"

namespace heddle {

template <class T>
class timed_queue {
 public:
  // Owner's method runs whenever the first item is due; it takes items with pop_due().
  template <class Owner, void (Owner::*method)()>
  static timed_queue to(Owner& owner) {
    return timed_queue(timed_call::to<Owner, method>(owner));
  }
  // `fetch`: as timed_call has it; it may look at next().
  template <class Owner, void (Owner::*method)(), void (Owner::*fetch)() const>
  static timed_queue to(Owner& owner) {
    return timed_queue(timed_call::to<Owner, method, fetch>(owner));
  }

  void push(fs_t when, T item) {
    std::size_t passed = 0;
    auto next = in_order_.end();
    while (next != in_order_.begin() && std::prev(next)->when > when && passed <= nearly_in_order) {
      --next;
      ++passed;
    }
    entry added{when, pushed_++, std::move(item)};
    if (passed == 0) {
      // Into an empty deque insert() would put the item in front, which allocates each time.
      in_order_.push_back(std::move(added));
    } else if (passed <= nearly_in_order) {
      in_order_.insert(next, std::move(added));
    } else {
      early_.push_back(std::move(added));
      std::push_heap(early_.begin(), early_.end(), is_later);
    }
    due_.at(first_is_early() ? early_.front().when : in_order_.front().when);
  }

  // The item that is due first; nullptr where there is none.
  const T* next() const {
    if (empty()) return nullptr;
    return first_is_early() ? &early_.front().item : &in_order_.front().item;
  }
  bool empty() const { return in_order_.empty() && early_.empty(); }
  std::size_t size() const { return in_order_.size() + early_.size(); }

  // Whether an item is due at `now`; moves it out. Otherwise arms the call for the next one.
  bool pop_due(fs_t now, T& item) {
    if (empty()) return false;
    const bool is_early = first_is_early();
    entry& first = is_early ? early_.front() : in_order_.front();
    if (first.when > now) {
      due_.at(first.when);
      return false;
    }
    item = std::move(first.item);
    if (is_early) {
      std::pop_heap(early_.begin(), early_.end(), is_later);
      early_.pop_back();
    } else {
      in_order_.pop_front();
    }
    return true;
  }

 private:
  // Items that an insertion passes before it takes the heap.
  static constexpr std::size_t nearly_in_order = 16;

  struct entry {
    fs_t when = 0;
    std::uint64_t number = 0;
    T item;
  };
  static bool is_later(const entry& a, const entry& b) {
    return a.when != b.when ? a.when > b.when : a.number > b.number;
  }
  explicit timed_queue(timed_call due) : due_(due) {}

  bool first_is_early() const {
    return !early_.empty() && (in_order_.empty() || is_later(in_order_.front(), early_.front()));
  }

  std::deque<entry> in_order_;
  std::vector<entry> early_;  // a heap, its first item on top
  std::uint64_t pushed_ = 0;
  timed_call due_;
};

}  // namespace heddle
