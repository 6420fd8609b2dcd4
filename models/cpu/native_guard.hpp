// Keeps a fault of firmware that runs natively from ending the simulator: the core whose thread it
// is hears of it and fails the run in order, with results and waves. Signals are handled on a stack
// of their own, because that of the thread may be full; a guard page lies below it.
//
// While firmware computes, a timer looks every quarter of a second of CPU time whether time has
// passed for the core since: where it has not for `limit`, or the user has pressed Ctrl-C, it is
// stopped as well. So is firmware that calls exit() of the C library, which would end the
// simulator.
//
// Limitations: a frame larger than the guard page can jump over it, to memory of somebody else, if
// the compiler has left out -fstack-clash-protection. A fault inside the simulator that a call of
// the HAL has led to is reported as the core's.
#pragma once

#include <csetjmp>
#include <cstddef>
#include <cstdint>

#include "models/cpu/native_fault.hpp"
#include "platform/firmware/firmware_core.hpp"
#include "platform/firmware/firmware_registry.hpp"

namespace heddle {

class native_guard {
 public:
  // `stack_bytes`: of the thread. `limit`: seconds of CPU time in which no simulated time passes
  // for the core; 0: any.
  native_guard(const firmware_core& core, std::size_t stack_bytes, double limit)
      : core_(core), stack_bytes_(stack_bytes), limit_(limit) {}
  ~native_guard();
  native_guard(const native_guard&) = delete;
  native_guard& operator=(const native_guard&) = delete;

  // Calls the firmware on the stack of the running thread. nullptr: it has returned `result`.
  // Else why it was stopped; the frames of its functions are gone then.
  const native_fault* call(firmware_registry::entry_point entry, int& result);

 private:
  static void install_handlers();
  static void handle_fault(int number, siginfo_t* signal, void* context);
  static void handle_timer(int number, siginfo_t* signal, void* context);
  static void handle_exit();
  // nullptr: it is no firmware that runs on that stack.
  static native_guard* guard_of(std::uint64_t stack_pointer);
  static native_guard* in_control();  // whose firmware runs; nullptr: the simulator does
  bool is_stuck();
  void leave();  // what the thread does now is no firmware

  const firmware_core& core_;
  const std::size_t stack_bytes_;
  const double limit_;
  std::uint64_t stack_begin_ = 0;
  std::uint64_t frames_end_ = 0;  // the firmware's own frames lie below
  fs_t time_seen_ = fs_never;     // of the core, by the timer
  std::uint64_t calls_then_ = 0;  // of the HAL
  int ticks_ = 0;                 // of the timer, since then
  sigjmp_buf landing_{};
  native_fault fault_;
};

}  // namespace heddle
