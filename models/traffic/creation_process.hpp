// When a source creates packets. A slot is the time of one trial: a cycle, or the time that a
// packet takes on its link. Bursts of packets in slots one behind the other, of geometric length,
// alternate with geometric silences, so that the mean is the load that was asked for (a
// Markov-modulated process, Dally and Towles 2004, 24.2.2). With bursts of one packet this is a
// Bernoulli process: in every slot a packet with a fixed probability. Packets are made up one at a
// time, when the source gets to them: the queue behind a source is unbounded and takes no memory.
#pragma once

#include <cmath>
#include <cstdint>

#include "models/traffic/geometric_lengths.hpp"

namespace heddle {

class creation_process {
 public:
  static constexpr std::uint64_t never = geometric_lengths::without_end;

  // Packets a slot, 0 to 1, and mean packets of a burst, 1 or more.
  explicit creation_process(double load, double burst = 1) : end_of_burst_(1 / burst) {
    // A silence lasts burst (1 - load) / load slots in the mean.
    const double end_of_silence = burst > 1 ? load / (load + burst * (1 - load)) : load;
    if (load > 0) silences_ = &geometric_lengths::with_log(std::log1p(-end_of_silence));
  }

  bool creates_any() const { return silences_ != nullptr; }
  // The slot in which the next packet is created; `never` when there will be none.
  std::uint64_t next(random_stream& random) {
    const std::uint64_t without = misses(random);
    if (without == never || next_slot_ == never) return next_slot_ = never;
    const std::uint64_t slot = next_slot_ + without;
    next_slot_ = slot + 1;
    return slot;
  }

  // How many slots pass without a packet before the next one; `never` when the load is 0. One draw
  // for a silence instead of one a slot.
  std::uint64_t misses(random_stream& random) {
    if (!creates_any()) return never;
    if (end_of_burst_ < 1) {
      const bool goes_on = is_in_burst_ && random.fraction() >= end_of_burst_;
      is_in_burst_ = true;
      if (goes_on) return 0;
    }
    return silences_->draw(random);
  }

 private:
  double end_of_burst_;  // probability that a packet is the last of its burst
  const geometric_lengths* silences_ = nullptr;  // nullptr: no packet is ever created
  bool is_in_burst_ = false;                     // a packet came before
  std::uint64_t next_slot_ = 0;                  // the first whose trial was not made yet
};

}  // namespace heddle
