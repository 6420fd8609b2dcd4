// Clock domains: units that work cycle by cycle. One call of the agenda evaluates the members that
// asked for a cycle, and goes on with the cycles after it as far as nothing else is due. There is
// none while nobody asks.
//
// A member sees in cycle c what others handed over in cycles before c: whatever one member gives
// another is stamped with a later cycle. That stamp is the commit of the usual two phases, so
// results do not depend on the order in which members are evaluated, and several threads may share
// the members of a cycle (clock_lane.hpp).
#pragma once

#include <algorithm>
#include <memory>
#include <typeindex>
#include <vector>

#include "platform/time/agenda.hpp"
#include "platform/time/clock_lane.hpp"
#include "platform/time/team_choice.hpp"

namespace heddle {

class clock_team;

class clock_domain {
 public:
  explicit clock_domain(fs_t period);
  ~clock_domain();
  clock_domain(const clock_domain&) = delete;
  clock_domain& operator=(const clock_domain&) = delete;

  fs_t period() const { return period_; }
  fs_t start_of(cycle_t cycle) const { return cycle * period_; }
  // The earliest cycle that was not evaluated yet: where others than members come in.
  cycle_t next_cycle() const;
  std::uint64_t activations() const { return activations_; }
  // The start of the latest cycle that was evaluated; stays where it is as long as the domain.
  const fs_t& latest_start() const { return latest_start_; }

  // Before the simulation starts.
  template <class T>
  void join(T& unit, clock_member& member) {
    group_of<T>().add(unit, member, first_lane());
  }
  // Members have joined, and nobody has linked them or woken one: shares them out to as many lanes,
  // or as many as they are worth. Those of a type in the order in which they joined, so that
  // neighbors stay together. All stay in one lane if there are types that are not concurrent.
  void spread(int lanes);
  std::size_t lanes() const { return lanes_.size(); }

 private:
  friend class clock_lane;

  template <class T>
  clocked_group_of<T>& group_of() {
    const std::type_index wanted(typeid(T));
    for (std::size_t i = 0; i < types_.size(); ++i)
      if (types_[i] == wanted) return static_cast<clocked_group_of<T>&>(first_lane().group(i));
    types_.push_back(wanted);
    is_concurrent_ &= is_concurrent_type<T>;
    first_lane().add_group(std::make_unique<clocked_group_of<T>>());
    return group_of<T>();
  }
  clock_lane& first_lane() const { return *lanes_.front(); }
  void add_lane(std::size_t of);

  static constexpr cycle_t never = clock_lane::never;

  void evaluate();  // the present cycle, and those after it as far as nothing else is due
  // Both evaluate `first` and the cycles after it until anything else may be due, and return the
  // next cycle that a member asks for.
  cycle_t evaluate_one_lane(cycle_t first);
  cycle_t evaluate_lanes(cycle_t first);
  void pass_cycles(std::uint64_t cycles, cycle_t last);
  cycle_t end_of_quiet() const;
  clock_stretch_result evaluate_alone(const clock_stretch& stretch);
  void do_what_was_put_off();
  void limit_turns(cycle_t cycles) { cycles_of_turn_ = std::min(cycles_of_turn_, cycles); }
  clock_team* find_team();
  cycle_t next_of_lanes() const;
  bool go_to(cycle_t cycle);
  void continue_by(cycle_t cycle) { clock_.at(start_of(cycle)); }

  fs_t period_;
  std::vector<std::type_index> types_;  // of the groups of each lane
  std::vector<std::unique_ptr<clock_lane>> lanes_;
  std::unique_ptr<clock_team> team_;  // once there is enough to do
  team_choice choice_;                // whether the team is faster than one thread
  clock_outlook outlook_;             // of several lanes
  cycle_t cycles_of_turn_ = clock_outlook::most_cycles;
  bool is_concurrent_ = true;    // every type
  bool has_no_threads_ = false;  // the system gave none
  fs_t quiet_until_ = 0;         // for everybody else, as far as is known
  std::uint64_t activations_ = 0;
  fs_t latest_start_ = 0;
  timed_call clock_;
};

// The domains of a run, by period.
class clock_domains {
 public:
  clock_domain& with_period(fs_t period);

  // Threads that share the members of a domain at most. Before units are made.
  void use_threads(int threads) { threads_ = threads; }
  // All units are made, and none of them is joined to another.
  void spread();

 private:
  std::vector<std::unique_ptr<clock_domain>> all_;
  int threads_ = 1;
};

}  // namespace heddle
