// What happens when, in ns; events of the same time in the order in which they were scheduled.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>

namespace heddle::test {

class event_queue final {
 public:
  std::uint64_t now() const { return now_; }

  void schedule(std::uint64_t delay, std::function<void()> action) {
    events_.push({now_ + delay, count_++, std::move(action)});
  }

  // Runs the next event; false when there is none.
  bool step() {
    if (events_.empty()) return false;
    event next = events_.top();
    events_.pop();
    now_ = next.time;
    next.action();
    return true;
  }

 private:
  struct event {
    std::uint64_t time;
    std::uint64_t number;
    std::function<void()> action;
    bool operator<(const event& other) const {
      return std::pair(time, number) > std::pair(other.time, other.number);
    }
  };

  std::uint64_t now_ = 0;
  std::uint64_t count_ = 0;
  std::priority_queue<event> events_;
};

}  // namespace heddle::test
