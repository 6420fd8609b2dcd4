// Keeps a fault of firmware that runs natively from ending the simulator: the core whose thread it
// is hears of it and fails the run in order, with results and waves. Signals are handled on a stack
// of their own, because that of the thread may be full; a guard page lies below it.
//
// While firmware computes, a timer looks every quarter of a second of CPU time whether time has
// passed for the core since: where it has not for `limit`, or the user has pressed Ctrl-C, it is
// stopped as well. So is firmware that calls exit(), quick_exit(), _exit() or raise() of the C
// library, which would end the simulator.
//
// Firmware that writes beyond an array on its stack overwrites the frames of whoever called it. So
// nothing returns to them: what comes after the firmware is found without the stack.
//
// What firmware has changed of how the processor computes floating point ends with the firmware.
//
// Limitations: SIGKILL, SIGSTOP and the system call exit_group, made without the C library, cannot
// be caught. A frame larger than the guard page can jump over it, to memory of somebody else, if
// the compiler has left out -fstack-clash-protection. A fault inside the simulator that a call of
// the HAL has led to is reported as the core's.
#pragma once

#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "models/cpu/native_fault.hpp"
#include "platform/firmware/firmware_core.hpp"
#include "platform/firmware/firmware_registry.hpp"

namespace heddle {

class native_guard {
 public:
  // What the thread does once the firmware has returned, or was stopped. Neither returns.
  struct sequel {
    std::function<void(int code)> after_return;
    std::function<void(const native_fault&)> after_fault;
  };

  // `stack_bytes`: of the thread. `limit`: seconds of CPU time in which no simulated time passes
  // for the core; 0: any.
  native_guard(const firmware_core& core, std::size_t stack_bytes, double limit, sequel then)
      : core_(core), stack_bytes_(stack_bytes), limit_(limit), then_(std::move(then)) {}
  ~native_guard();
  native_guard(const native_guard&) = delete;
  native_guard& operator=(const native_guard&) = delete;

  // Calls the firmware on the stack of the running thread.
  [[noreturn]] void call(firmware_registry::entry_point entry);
  // What the thread does from now on is no firmware.
  void leave();
  // `call` of the C library, a literal, is about to end the program. Returns where that is no
  // firmware's.
  static void stop_exit(const char* call);

 private:
  static void install_handlers();
  static void handle_fault(int number, siginfo_t* signal, void* context);
  static void handle_raised(int number, siginfo_t* signal, void* context);
  static void handle_timer(int number, siginfo_t* signal, void* context);
  static void handle_exit();
  static void handle_quick_exit();
  [[noreturn]] static void go_on_after_return(int code);
  [[noreturn]] static void go_on_after_fault();
  [[noreturn]] void land();  // from a signal or exit handler, in call()
  [[noreturn]] void stop_at(const siginfo_t& signal, const void* context);
  // nullptr: it is no firmware that runs on that stack.
  static native_guard* guard_of(std::uint64_t stack_pointer);
  static native_guard* guard_behind(const void* context);  // of a signal
  static native_guard* in_control();  // whose firmware runs; nullptr: the simulator does
  bool is_stuck();

  const firmware_core& core_;
  const std::size_t stack_bytes_;
  const double limit_;
  const sequel then_;
  std::uint64_t stack_begin_ = 0;
  std::uint64_t frames_end_ = 0;  // the firmware's own frames lie below
  fs_t time_seen_ = fs_never;     // of the core, by the timer
  std::uint64_t calls_then_ = 0;  // of the HAL
  int ticks_ = 0;                 // of the timer, since then
  sigjmp_buf landing_{};
  native_fault fault_;
};

}  // namespace heddle
