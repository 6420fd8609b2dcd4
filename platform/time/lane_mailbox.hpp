// What members of one lane of a clock domain hand over to members of another. It lies here until
// the cycle is over, so that no state is written by one thread while another may read it. Of two
// lists one is written while the other, of the cycle before, is read: turn 0 and turn 1.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "platform/time/cycle.hpp"

namespace heddle {

class lane_mailbox {
 public:
  static constexpr cycle_t never = UINT64_MAX;

  struct letter {
    void (*apply)(const letter&);
    void* target;
    cycle_t cycle;
    std::uint32_t detail;
  };

  // By the thread that writes ------------------------------------------------------------------
  void begin(std::size_t turn) {
    turn_ = turn;
    written().clear();
    asked_ = in_case_ = never;
  }
  // Applying the letter wakes a member for the cycle `asks_for`.
  void post(const letter& posted, cycle_t asks_for) {
    written().push_back(posted);
    asked_ = std::min(asked_, asks_for);
  }
  // Applying it may wake a member, not for an earlier cycle than that.
  void post_in_case(const letter& posted, cycle_t earliest) {
    written().push_back(posted);
    in_case_ = std::min(in_case_, earliest);
  }
  // The earliest cycles of this turn.
  cycle_t asked() const { return asked_; }
  cycle_t in_case() const { return in_case_; }

  // By the thread that reads -------------------------------------------------------------------
  void apply_all(std::size_t turn) const {
    for (const letter& each : lists_[turn].letters) each.apply(each);
  }

 private:
  struct alignas(64) list {  // read by one thread while the other writes its neighbor
    std::vector<letter> letters;
  };
  std::vector<letter>& written() { return lists_[turn_].letters; }

  std::array<list, 2> lists_;
  std::size_t turn_ = 0;  // that is written
  cycle_t asked_ = never, in_case_ = never;
};

}  // namespace heddle
