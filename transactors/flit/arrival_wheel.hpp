// Which input channels of a unit get a flit in which of the next cycles: a bit a channel. Whoever
// sends sets the bit and wakes the unit, which takes the cycle's bits when it is evaluated. Few
// channels and short links, as most are, have all of it in a line of the cache.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>

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

  // Makes room for arrivals up to `cycles` after the present cycle, for channels below that number.
  // Called before the first arrival; the largest of several calls counts.
  void reserve(cycle_t cycles, int channels) {
    if (has_few() && cycles < few_.size() && channels <= few_channels) return;
    std::size_t size = std::max(std::size_t{last_} + 1, few_.size());
    while (size <= cycles) size *= 2;
    if (size == std::size_t{last_} + 1) return;
    many_ = std::make_unique<std::uint64_t[]>(size);
    last_ = static_cast<std::uint16_t>(size - 1);
  }

  void deliver(cycle_t cycle, int channel, bool is_head) {
    if (has_few())
      few_[cycle % few_.size()] |= std::uint32_t{1} << channel;
    else
      many_[cycle & last_] |= std::uint64_t{1} << channel;
    clock_.wake(cycle + (is_head ? head_grace_ : cycle_t{0}));
  }
  cycle_t head_grace() const { return head_grace_; }
  std::uint64_t take(cycle_t cycle) {
    if (has_few()) return std::exchange(few_[cycle % few_.size()], 0);
    return std::exchange(many_[cycle & last_], 0);
  }
  void prefetch() const { __builtin_prefetch(this, 1); }
  void wake(cycle_t cycle) const { clock_.wake(cycle); }
  std::size_t bytes() const { return has_few() ? 0 : (last_ + 1) * sizeof(std::uint64_t); }

 private:
  static constexpr int few_channels = 32;
  bool has_few() const { return __builtin_expect(last_ == 0, 1); }

  std::array<std::uint32_t, 8> few_{};     // buckets, a power of two
  std::unique_ptr<std::uint64_t[]> many_;  // the same, of more cycles or channels
  clock_member clock_;
  std::uint16_t last_ = 0;  // of the many
  std::uint8_t head_grace_ = 0;
};
static_assert(sizeof(arrival_wheel) == 64);

}  // namespace heddle
