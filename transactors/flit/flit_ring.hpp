// First-in first-out ring of a size that is fixed before the simulation starts. Its users keep to
// their credits, so it never overflows.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "platform/number/power_of_two.hpp"

namespace heddle {

template <class T>
class flit_ring {
 public:
  void reserve(std::size_t entries) {
    const std::size_t size = power_of_two_from(entries);
    ring_.resize(size);
    last_ = static_cast<std::uint32_t>(size - 1);
  }

  bool empty() const { return first_ == end_; }
  std::uint32_t size() const { return end_ - first_; }
  T& front() { return ring_[first_ & last_]; }
  const T& front() const { return ring_[first_ & last_]; }
  void push(const T& added) {
    assert(size() < ring_.size());
    ring_[end_++ & last_] = added;
  }
  void pop() { ++first_; }
  std::size_t bytes() const { return ring_.size() * sizeof(T); }

 private:
  std::vector<T> ring_;
  std::uint32_t first_ = 0, end_ = 0, last_ = 0;
};

}  // namespace heddle
