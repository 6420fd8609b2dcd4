// Whether several threads evaluate the lanes of a clock domain faster than one, at present. That
// depends on how near the processors are to each other, on how much there is to do in a cycle and
// on who else wants the processors, so both ways are timed: one is kept as long as it is the faster
// one, and the other is tried again now and then, the less often the slower it was. Results do not
// depend on it.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>

namespace heddle {

class team_choice {
 public:
  using clock = std::chrono::steady_clock;

  explicit team_choice(clock::time_point (*now)() = &clock::now) : now_(now) {}

  // Time counts from begin() to end(), while one cycle follows the other.
  void begin() { since_ = now_(); }
  void end() { lasted_ += now_() - since_; }

  // Whether several threads evaluate the next cycles.
  bool is_together() const { return way_ == together; }
  std::size_t members_left() const { return members_of_spell - evaluated_; }  // of this spell
  // States that so many members were evaluated.
  void count(std::size_t members) {
    evaluated_ += members;
    if (evaluated_ >= members_of_spell) end_spell();
  }

 private:
  enum way : std::size_t { together, alone, ways };

  static constexpr std::size_t members_of_spell = 8192;                     // 0.3 to 1 ms
  static constexpr double share_of_trials = 0.05;                           // of the time, about
  static constexpr std::size_t fewest_between = 20, most_between = 20'000;  // spells, of trials
  static constexpr double least = 1e-9;  // seconds that a spell takes
  static constexpr double unknown = -1;  // below all costs: such a way is tried next

  way other_way() const { return way_ == together ? alone : together; }
  void end_spell();
  void note(double cost);
  std::size_t spells_between_trials(way kept) const;

  clock::time_point (*now_)();
  clock::time_point since_;    // when time was read last
  clock::duration lasted_{};   // of this spell, up to then
  std::size_t evaluated_ = 0;  // members, in this spell
  way way_ = together;
  // What a member has cost by each way, usually and in the latest spell: seconds.
  std::array<double, ways> usual_{unknown, unknown}, latest_{unknown, unknown};
  std::size_t until_trial_ = 0;  // spells
};

}  // namespace heddle
