// Drives the kernel in slices and tells a person at a terminal how far the run is.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "platform/time/time_limits.hpp"

namespace heddle {

class progress {
 public:
  explicit progress(bool is_quiet);
  ~progress() { clear(); }

  void expect(std::uint64_t work) { expected_ = work; }  // 0: share and time left are unknown
  void done(std::uint64_t work) { done_ += work; }
  void show();   // at most twice a second, and only on a terminal
  void clear();  // takes the line away before other output

 private:
  using clock = std::chrono::steady_clock;

  bool is_shown_on_terminal_;
  bool is_line_shown_ = false;
  std::uint64_t expected_ = 0, done_ = 0;
  clock::time_point start_ = clock::now(), last_ = clock::now();
};

enum class run_end { by_itself, at_limit, interrupted };

// Runs until the simulation is stopped, nothing is left to happen, simulated time is `until`, or
// the user interrupts (SIGINT, SIGHUP or SIGTERM; a second one ends the program at once).
// `between`, if there is one, is called between slices of time.
run_end simulate(progress& shown, const std::function<void()>& between = {},
                 fs_t until = end_of_time);

}  // namespace heddle
