// How the program of a core ends: with its exit code, or because it cannot go on. Whatever ends it
// is called in the core's thread, which then sleeps until the end of the run.
#pragma once

#include <functional>
#include <string>

#include "models/cpu/core_activity.hpp"
#include "models/cpu/rv_core/core_clock.hpp"
#include "models/cpu/rv_core/loaded_program.hpp"
#include "platform/debug/debug_target.hpp"

namespace heddle {

class program_end {
 public:
  // All must outlive it. `debugged`: the core as a debugger sees it, which is shown failures.
  program_end(const unit& core, core_clock& clock, core_activity& activity,
              const loaded_program& program, debug_target& debugged);

  // Runs before the program ends by itself.
  std::function<void()> on_exit;
  // `by` is told before the core ends that no instruction follows; nullptr: there is no observer.
  void observe(program_observer* by) { observer_ = by; }

  [[noreturn]] void exit(int code);  // anything but 0 fails the run
  // "gpu[0].cp: WHAT, pc 0x80000004 in start"
  [[noreturn]] void fail(const std::string& what);
  // The same at the line that a call of the HAL returns to: "gpu[0].cp: WHAT\n  at app.c:7 in main"
  [[noreturn]] void fail(const std::string& what, std::uint64_t returns_to);
  [[noreturn]] void fault();  // the reason has been told
  bool is_over() const { return is_over_; }

 private:
  void show_debugger();
  [[noreturn]] void halt();

  const unit& core_;
  core_clock& clock_;
  core_activity& activity_;
  const loaded_program& program_;
  debug_target& debugged_;
  program_observer* observer_ = nullptr;
  bool is_over_ = false;
};

}  // namespace heddle
