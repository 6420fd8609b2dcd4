// Which input channels of a unit get a flit in which of the next cycles: a bit a channel. Whoever
// sends sets the bit, the receiver takes the cycle's bits when it is evaluated.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "platform/time/clock_domain.hpp"

namespace heddle {

class arrival_wheel {
 public:
  arrival_wheel() = default;
  arrival_wheel(const arrival_wheel&) = delete;
  arrival_wheel& operator=(const arrival_wheel&) = delete;

  // Arrivals come at most so many cycles after the present one. Before the first of them.
  void reserve(cycle_t cycles) {
    std::size_t size = last_ + 1;
    while (size <= cycles) size *= 2;
    if (size == last_ + 1) return;
    many_.resize(size);
    last_ = size - 1;
  }

  void add(cycle_t cycle, int channel) { bucket(cycle) |= std::uint64_t{1} << channel; }
  std::uint64_t take(cycle_t cycle) {
    std::uint64_t& mine = bucket(cycle);
    const std::uint64_t taken = mine;
    mine = 0;
    return taken;
  }
  std::size_t bytes() const { return many_.size() * sizeof(std::uint64_t); }

 private:
  std::uint64_t& bucket(cycle_t cycle) {
    return last_ < few_.size() ? few_[cycle & last_] : many_[cycle & last_];
  }

  cycle_t last_ = 7;
  std::vector<std::uint64_t> many_;     // buckets, if they are more
  std::array<std::uint64_t, 8> few_{};  // buckets, a power of two
};

}  // namespace heddle
