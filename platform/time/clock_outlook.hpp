// What a lane of a clock domain (clock_lane.hpp), or several of them together, have done in a turn,
// and for which cycles they have asked at its end.
#pragma once

#include <algorithm>
#include <cstdint>

#include "platform/time/cycle.hpp"

namespace heddle {

struct clock_outlook {
  static constexpr cycle_t never = UINT64_MAX;
  static constexpr cycle_t most_cycles = 8;  // of a turn

  cycle_t asked = never;       // the earliest cycle for which a member has asked, here or by mail
  cycle_t in_case = never;     // the earliest for which mail may ask
  cycle_t put_off_in = never;  // the earliest cycle with actions that were put off, or an error
  std::uint32_t members = 0;   // evaluated
  std::uint8_t cycles = 0;     // evaluated: a bit each, from the first of the turn on

  void join(const clock_outlook& other) {
    asked = std::min(asked, other.asked);
    in_case = std::min(in_case, other.in_case);
    put_off_in = std::min(put_off_in, other.put_off_in);
    members += other.members;
    cycles |= other.cycles;
  }
};

}  // namespace heddle
