// First in, first out, in one piece of memory: whoever adds or takes touches no other item, and the
// one behind the first is known before it is asked for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace heddle {

template <class T>
class ring_queue {
 public:
  bool empty() const { return count_ == 0; }
  std::uint32_t size() const { return count_; }
  T& front() { return items_[first_]; }
  const T& front() const { return items_[first_]; }

  void push(T added) {
    if (count_ == capacity_) grow();
    items_[(first_ + count_++) & (capacity_ - 1)] = std::move(added);
  }
  T pop() {
    __builtin_prefetch(&items_[(first_ + items_ahead) & (capacity_ - 1)]);
    T popped = std::move(items_[first_]);
    first_ = (first_ + 1) & (capacity_ - 1);
    --count_;
    return popped;
  }

 private:
  // Where there are many rings, the nearest cache does not hold them.
  static constexpr std::uint32_t items_ahead = 8;

  void grow() {
    const std::uint32_t larger = std::max(8U, 2 * capacity_);
    auto moved = std::make_unique<T[]>(larger);
    for (std::uint32_t i = 0; i < count_; ++i)
      moved[i] = std::move(items_[(first_ + i) & (capacity_ - 1)]);
    items_ = std::move(moved);
    capacity_ = larger;
    first_ = 0;
  }

  std::unique_ptr<T[]> items_;
  std::uint32_t capacity_ = 0;  // a power of two, once there was an item
  std::uint32_t first_ = 0, count_ = 0;
};

}  // namespace heddle
