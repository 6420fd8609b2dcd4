// Items that become due in the future, in the order of their times (first come first among equals).
// Most come nearly in order, so insertion looks from the back.
#pragma once

#include <deque>
#include <iterator>
#include <utility>

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

  void push(fs_t when, T item) {
    auto next = items_.end();
    while (next != items_.begin() && std::prev(next)->first > when) --next;
    items_.emplace(next, when, std::move(item));
    due_.at(items_.front().first);
  }

  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }

  // Whether an item is due at `now`; moves it out. Otherwise arms the call for the next one.
  bool pop_due(fs_t now, T& item) {
    if (items_.empty()) return false;
    if (items_.front().first > now) {
      due_.at(items_.front().first);
      return false;
    }
    item = std::move(items_.front().second);
    items_.pop_front();
    return true;
  }

 private:
  explicit timed_queue(timed_call due) : due_(due) {}

  std::deque<std::pair<fs_t, T>> items_;
  timed_call due_;
};

}  // namespace heddle
