// What stopped firmware that runs natively: the processor refused an instruction of it, or it
// computes without end.
#pragma once

#include <array>
#include <csignal>
#include <cstdint>
#include <string>

namespace heddle {

struct native_fault {
  using stack_words = std::array<std::uint64_t, 256>;
  enum class kind : std::uint8_t {
    read,            // of memory that is not there; the address is known
    write,           // likewise
    wild_access,     // through a pointer that is no address at all
    jump,            // to where no code is
    stack_overflow,  // into the guard page below the stack
    division,        // of integers: by zero, or its result has no place
    floating_point,  // an exception that the firmware has unmasked
    trap,            // an instruction that does not exist, as __builtin_trap() leaves one
    abort,           // by abort() or a failed assert()
    exit,            // a call of the C library that would end the simulator
    endless_loop,    // no call of the HAL for too long
    idle_calls,      // calls of the HAL alone in which no time passes
  };
  kind what = kind::trap;
  std::uint64_t address = 0;     // of the access, or of the jump
  std::uint64_t returns_to = 0;  // a call would return there from the instruction; 0: unknown
  int code = 0;                  // si_code of a floating-point exception
  const char* call = nullptr;    // kind::exit: "exit"; nullptr: raise()
  int raised = 0;                // the signal of that raise()
  // The newest words of the stack: where a function of the C library was stopped, the place in the
  // firmware that called it is among them. Zeros behind the end of the stack.
  stack_words newest_words{};

  // From the arguments of a signal handler. The firmware's frames lie in [stack_begin, stack_end).
  static native_fault of(const siginfo_t& signal, const void* context, std::uint64_t stack_begin,
                         std::uint64_t stack_end);
  // By a process, with raise() or kill(), and not by the processor.
  static bool is_sent(const siginfo_t& signal) { return signal.si_code <= 0; }
  // `call`: a literal.
  static native_fault exit_by(const char* call, std::uint64_t stack_pointer,
                              std::uint64_t stack_begin, std::uint64_t stack_end);
  std::string text() const;  // "null pointer read at 0x0"

 private:
  static native_fault classified(const siginfo_t& signal, const void* context,
                                 std::uint64_t stack_begin, std::uint64_t stack_end);
};

// Registers of the interrupted code; 0 where this processor's are not known.
std::uint64_t stack_pointer_of(const void* context);
std::uint64_t program_counter_of(const void* context);

}  // namespace heddle
