// When windows of time open and close, in the order of time.
#pragma once

#include <algorithm>
#include <deque>

#include "platform/time/fs_time.hpp"

namespace heddle {

struct window_switch {
  fs_t when;
  bool open;
};

class window_schedule {
 public:
  // Switches of the same time keep the order in which they were added.
  void add(window_switch added) {
    const auto next =
        std::upper_bound(switches_.begin(), switches_.end(), added,
                         [](const auto& a, const auto& b) { return a.when < b.when; });
    switches_.insert(next, added);
  }

  bool due_before(fs_t when) const { return !switches_.empty() && switches_.front().when < when; }

  // A window does not hold its last instant, so it closes before the changes of that instant; it
  // opens after the changes of its first instant, which its opening values then include.
  bool due_ahead_of_instant(fs_t when) const {
    return due_before(when) ||
           (!switches_.empty() && switches_.front().when == when && !switches_.front().open);
  }

  window_switch take() {
    const window_switch next = switches_.front();
    switches_.pop_front();
    return next;
  }

 private:
  std::deque<window_switch> switches_;
};

}  // namespace heddle
