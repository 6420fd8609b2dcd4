// A stretch of cycles that the lanes of a clock domain evaluate turn by turn (clock_lane.hpp),
// without asking the domain in between.
#pragma once

#include <algorithm>
#include <cstdint>

#include "platform/time/clock_outlook.hpp"

namespace heddle {

struct clock_stretch {
  cycle_t first = 0;
  cycle_t end = 0;                 // is not evaluated, unless it is the first
  cycle_t cycles_of_turn = 1;      // at most: mail is for later turns than the one it is posted in
  std::size_t most_members = 0;    // the stretch is over when so many were evaluated,
  std::size_t fewest_of_turn = 0;  // or fewer than that in a turn

  cycle_t end_of_turn(cycle_t cycle) const {
    return std::max(cycle + 1, std::min(cycle + cycles_of_turn, end));
  }
};

struct clock_stretch_result {
  clock_outlook outlook;  // behind the last turn, of all lanes
  cycle_t last = 0;       // that was evaluated, or the first in which something was put off
  std::uint64_t cycles = 0;
  std::size_t members = 0;

  void add(cycle_t first_of_turn, const clock_outlook& turn) {
    outlook = turn;
    last = std::min(turn.put_off_in, first_of_turn + static_cast<cycle_t>(last_bit(turn.cycles)));
    cycles += static_cast<std::uint64_t>(__builtin_popcount(turn.cycles));
    members += turn.members;
  }
  bool is_over(const clock_stretch& of) const {
    return outlook.put_off_in != clock_outlook::never || outlook.in_case < outlook.asked ||
           outlook.asked >= of.end || members >= of.most_members ||
           outlook.members < of.fewest_of_turn;
  }

 private:
  static int last_bit(unsigned bits) { return 31 - __builtin_clz(bits); }
};

}  // namespace heddle
