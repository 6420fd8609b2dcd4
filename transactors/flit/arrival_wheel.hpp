// Which input channels of a unit get a flit in which of the next cycles: a bit a channel. Whoever
// sends sets the bit and wakes the unit, which takes the cycle's bits when it is evaluated.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "platform/time/clock_domain.hpp"

namespace heddle {

class alignas(64) arrival_wheel {
 public:
  arrival_wheel() = default;
  arrival_wheel(const arrival_wheel&) = delete;
  arrival_wheel& operator=(const arrival_wheel&) = delete;

  // The unit is in its clock domain. It need not be evaluated earlier than `head_grace` cycles
  // after the arrival of a head.
  void belong_to(const clock_member& unit, cycle_t head_grace) {
    clock_ = unit;
    head_grace_ = static_cast<std::uint8_t>(head_grace);
  }
  bool is_owned() const { return clock_.is_clocked(); }

  // Arrivals come at most so many cycles after the present one. Before the first of them.
  void reserve(cycle_t cycles) {
    std::size_t size = std::size_t{last_} + 1;
    while (size <= cycles) size *= 2;
    if (size == std::size_t{last_} + 1) return;
    many_ = std::make_unique<std::uint64_t[]>(size);
    last_ = static_cast<std::uint32_t>(size - 1);
  }

  void deliver(cycle_t cycle, int channel, bool is_head) {
    bucket(cycle) |= std::uint64_t{1} << channel;
    clock_.wake(woken_for(cycle, is_head));
  }
  // The cycle in which the unit is evaluated at the latest.
  cycle_t woken_for(cycle_t arrival, bool is_head) const {
    return arrival + (is_head ? head_grace_ : cycle_t{0});
  }
  std::uint64_t take(cycle_t cycle) {
    std::uint64_t& mine = bucket(cycle);
    const std::uint64_t taken = mine;
    mine = 0;
    return taken;
  }
  void prefetch() const {
    __builtin_prefetch(&few_, 1);
    __builtin_prefetch(&last_);
  }
  void wake(cycle_t cycle) const { clock_.wake(cycle); }
  std::size_t bytes() const { return many_ ? (last_ + 1) * sizeof(std::uint64_t) : 0; }

 private:
  // Where the few are enough, no address has to be read first.
  std::uint64_t& bucket(cycle_t cycle) {
    if (__builtin_expect(last_ < few_.size(), 1)) return few_[cycle % few_.size()];
    return many_[cycle & last_];
  }

  std::array<std::uint64_t, 8> few_{};  // buckets, a power of two
  std::uint32_t last_ = 7;
  std::uint8_t head_grace_ = 0;
  clock_member clock_;
  std::unique_ptr<std::uint64_t[]> many_;  // buckets, if they are more
};

}  // namespace heddle
