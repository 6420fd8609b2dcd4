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
    slots_ = many_.data();
    last_ = size - 1;
  }

  void add(cycle_t cycle, int channel) { slots_[cycle & last_] |= std::uint64_t{1} << channel; }
  std::uint64_t take(cycle_t cycle) {
    std::uint64_t& slot = slots_[cycle & last_];
    const std::uint64_t taken = slot;
    slot = 0;
    return taken;
  }
  std::size_t bytes() const { return many_.size() * sizeof(std::uint64_t); }

 private:
  std::array<std::uint64_t, 8> few_{};  // slots, a power of two
  std::uint64_t* slots_ = few_.data();
  cycle_t last_ = 7;
  std::vector<std::uint64_t> many_;  // more slots than few
};

}  // namespace heddle
