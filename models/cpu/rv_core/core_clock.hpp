// The own time of a core that executes instructions: its cycle count, which runs ahead of simulated
// time by a quantum at most.
#pragma once

#include <cstdint>

#include "models/cpu/program_observer.hpp"
#include "models/cpu/rv/any_hart.hpp"
#include "platform/unit/statistic.hpp"

namespace heddle {

class core_clock {
 public:
  // `instructions`: the statistic of those executed.
  core_clock(rv::any_hart& hart, fs_t cycle, fs_t quantum, statistic& instructions)
      : hart_(hart), cycle_(cycle), quantum_(quantum), instructions_(instructions) {}

  // Told how far the core runs next; nullptr: nobody.
  void observe(program_observer* by) { observer_ = by; }

  fs_t cycle() const { return cycle_; }
  fs_t now() const { return hart_.cycles() * cycle_; }
  bool is_quantum_over() const { return now() >= now_fs() + quantum_; }
  // The cycles up to which the hart may run: none once an interrupt may be taken.
  std::uint64_t limit() const {
    return hart_.is_interrupted() ? 0 : cycles_until(now_fs() + quantum_);
  }

  void pass_until(fs_t when) {  // never backwards
    const std::uint64_t cycles = cycles_until(when);
    if (cycles > hart_.cycles()) hart_.pass(cycles - hart_.cycles());
  }
  // Waits until simulated time has reached the core's own, in the core's thread.
  void synchronize();
  // Called after the core has waited for something: its time catches up with simulated time, which
  // may have gone on.
  void resume() {
    pass_until(now_fs());
    hart_.set_limit(limit());
  }
  void look_ahead() {
    if (observer_) observer_->look_ahead(now(), quantum_);
  }
  // With the one under way, by which the program ends.
  void count_last() { instructions_.raise_to(hart_.instructions() + (hart_.is_calling() ? 1 : 0)); }
  void count_instructions() { instructions_.raise_to(hart_.instructions()); }

 private:
  std::uint64_t cycles_until(fs_t when) const { return (when + cycle_ - 1) / cycle_; }

  rv::any_hart& hart_;
  const fs_t cycle_, quantum_;
  statistic& instructions_;
  program_observer* observer_ = nullptr;
};

}  // namespace heddle
