// Items that become due in the future, those of one instant together. Most come nearly in the order
// of their times, and many share an instant, so insertion looks from the back and seldom moves
// anything. Items of one instant keep the order in which they came.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "platform/time/agenda.hpp"

namespace heddle {

template <class T>
class due_batches {
 public:
  // Owner's method runs whenever the first batch is due; it calls take_due().
  template <class Owner, void (Owner::*method)()>
  static due_batches to(Owner& owner) {
    return due_batches(timed_call::to<Owner, method>(owner));
  }

  void push(fs_t when, T item) {
    std::size_t at = batches_.size();
    while (at > first_ && batches_[at - 1].due > when) --at;
    if (at > first_ && batches_[at - 1].due == when) {
      batches_[at - 1].items.push_back(std::move(item));
      return;
    }
    batches_.insert(batches_.begin() + static_cast<std::ptrdiff_t>(at), {when, spare()});
    batches_[at].items.push_back(std::move(item));
    call_.at(batches_[first_].due);
  }

  bool empty() const { return first_ == batches_.size(); }

  // Calls use(item) for all that is due at `now`; it may push more, due later than now. Some items
  // before each is used, prefetch(item) may fetch what use() will read: items of one instant seldom
  // have anything in common, and each waits for memory on its own.
  template <class Use, class Prefetch>
  void take_due(fs_t now, Use use, Prefetch prefetch) {
    while (first_ < batches_.size() && batches_[first_].due <= now) {
      std::vector<T> items = std::move(batches_[first_].items);
      if (++first_ == batches_.size()) {
        batches_.clear();
        first_ = 0;
      }
      for (std::size_t i = 0; i < items.size(); ++i) {
        if (i + ahead < items.size()) prefetch(items[i + ahead]);
        use(items[i]);
      }
      items.clear();
      spare_.push_back(std::move(items));
    }
    if (first_ > most_taken) {
      batches_.erase(batches_.begin(), batches_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    if (!empty()) call_.at(batches_[first_].due);
  }

 private:
  static constexpr std::size_t most_taken = 64;  // that are kept in front
  static constexpr std::size_t ahead = 3;        // items between prefetch and use
  struct batch {
    fs_t due;
    std::vector<T> items;
  };

  explicit due_batches(timed_call call) : call_(call) {}

  std::vector<T> spare() {
    if (spare_.empty()) return {};
    std::vector<T> items = std::move(spare_.back());
    spare_.pop_back();
    return items;
  }

  std::vector<batch> batches_;  // from first_ on, in the order of time
  std::size_t first_ = 0;
  std::vector<std::vector<T>> spare_;  // memory of batches that were taken
  timed_call call_;
};

}  // namespace heddle
