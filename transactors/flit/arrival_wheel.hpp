// Which input channels of a unit get a flit in which of the next cycles: a bit a channel. Whoever
// sends sets the bit, the receiver takes the cycle's bits when it is evaluated.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/time/clock_domain.hpp"

namespace heddle {

class arrival_wheel {
 public:
  // Arrivals come at most so many cycles after the present one.
  void reserve(cycle_t cycles) {
    while (slots_.size() <= cycles) slots_.resize(2 * slots_.size());
    last_ = slots_.size() - 1;
  }

  void add(cycle_t cycle, int channel) { slots_[cycle & last_] |= std::uint64_t{1} << channel; }
  std::uint64_t take(cycle_t cycle) {
    std::uint64_t& slot = slots_[cycle & last_];
    const std::uint64_t taken = slot;
    slot = 0;
    return taken;
  }
  std::size_t bytes() const { return slots_.size() * sizeof(std::uint64_t); }

 private:
  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(8);  // a power of two
  cycle_t last_ = 7;
};

}  // namespace heddle
