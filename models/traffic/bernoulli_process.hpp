// When a source creates packets: in every cycle one with a fixed probability. Packets are made up
// one at a time, when the source gets to them: the queue behind a source is unbounded and takes no
// memory.
#pragma once

#include <cmath>
#include <cstdint>

#include "models/traffic/random_stream.hpp"

namespace heddle {

class bernoulli_process {
 public:
  static constexpr std::uint64_t never = UINT64_MAX;

  explicit bernoulli_process(double packets_per_cycle)
      : probability_(packets_per_cycle), log_miss_(std::log1p(-packets_per_cycle)) {}

  bool creates_any() const { return probability_ > 0; }
  // The cycle in which the next packet is created; `never` when there will be none.
  std::uint64_t next(random_stream& random) {
    const std::uint64_t without = misses(random);
    if (without == never || next_cycle_ == never) return next_cycle_ = never;
    const std::uint64_t cycle = next_cycle_ + without;
    next_cycle_ = cycle + 1;
    return cycle;
  }

  // How many cycles pass without a packet before the next one; `never` when the probability is 0.
  // The number is geometric: one draw instead of one a cycle.
  std::uint64_t misses(random_stream& random) const {
    constexpr double most = 1e18;
    if (probability_ <= 0) return never;
    const double drawn = std::floor(std::log1p(-random.fraction()) / log_miss_);
    return drawn > most ? never : static_cast<std::uint64_t>(drawn);
  }

 private:
  double probability_;
  double log_miss_;               // log of the probability that a cycle creates nothing
  std::uint64_t next_cycle_ = 0;  // the first whose trial was not made yet
};

}  // namespace heddle
