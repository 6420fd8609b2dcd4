#include "models/cpu/native_fault.hpp"

#include <fmt/format.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace heddle {
namespace {

constexpr std::uint64_t null_page = 4096;  // nothing lies below: a pointer there was null once

bool is_write(const void* context) {
#if defined(__x86_64__)
  constexpr greg_t write_bit = 2;  // of the error code of a page fault
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & write_bit) != 0;
#else
  static_cast<void>(context);
  return false;
#endif
}

// Where a call returns to whose target could not be executed; 0: unknown.
std::uint64_t return_address_of(const void* context, std::uint64_t stack_begin,
                                std::uint64_t stack_end) {
#if defined(__x86_64__)
  const std::uint64_t at = stack_pointer_of(context);
  if (at < stack_begin || at + sizeof at > stack_end) return 0;
  std::uint64_t found = 0;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): it is an address of this process
  std::memcpy(&found, reinterpret_cast<const void*>(at), sizeof found);
  return found;
#elif defined(__aarch64__)
  static_cast<void>(stack_begin);
  static_cast<void>(stack_end);
  return static_cast<const ucontext_t*>(context)->uc_mcontext.regs[30];
#else
  return 0;
#endif
}

void copy_newest_words(std::uint64_t stack_pointer, std::uint64_t stack_begin,
                       std::uint64_t stack_end, native_fault::stack_words& words) {
  if (stack_pointer < stack_begin || stack_pointer > stack_end) return;
  const std::size_t bytes = std::min<std::size_t>(stack_end - stack_pointer, sizeof words);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): it is an address of this process
  std::memcpy(words.data(), reinterpret_cast<const void*>(stack_pointer), bytes);
}

const char* floating_point_exception(int code) {
  switch (code) {
    case FPE_FLTDIV:
      return "division by zero";
    case FPE_FLTOVF:
      return "overflow";
    case FPE_FLTUND:
      return "underflow";
    case FPE_FLTRES:
      return "inexact result";
    default:
      return "invalid operation";
  }
}

}  // namespace

std::uint64_t stack_pointer_of(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(machine.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return machine.sp;
#else
  static_cast<void>(machine);
  return 0;
#endif
}

std::uint64_t program_counter_of(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return machine.pc;
#else
  static_cast<void>(machine);
  return 0;
#endif
}

native_fault native_fault::of(const siginfo_t& signal, const void* context,
                              std::uint64_t stack_begin, std::uint64_t stack_end) {
  native_fault made = classified(signal, context, stack_begin, stack_end);
  if (made.what != kind::stack_overflow)  // the newest words are not there then
    copy_newest_words(stack_pointer_of(context), stack_begin, stack_end, made.newest_words);
  return made;
}

native_fault native_fault::exit_by(const char* call, std::uint64_t stack_pointer,
                                   std::uint64_t stack_begin, std::uint64_t stack_end) {
  native_fault made;
  made.what = kind::exit;
  made.call = call;
  copy_newest_words(stack_pointer, stack_begin, stack_end, made.newest_words);
  return made;
}

native_fault native_fault::classified(const siginfo_t& signal, const void* context,
                                      std::uint64_t stack_begin, std::uint64_t stack_end) {
  native_fault made;
  const std::uint64_t pc = program_counter_of(context);
  made.returns_to = pc + 1;
  if (signal.si_signo == SIGABRT) {
    made.what = kind::abort;
    return made;
  }
  if (is_sent(signal)) {
    made.what = kind::exit;
    made.raised = signal.si_signo;
    return made;
  }
  switch (signal.si_signo) {
    case SIGFPE:
      made.what = signal.si_code == FPE_INTDIV ? kind::division : kind::floating_point;
      made.code = signal.si_code;
      return made;
    case SIGSEGV:
    case SIGBUS:
      break;
    default:
      made.what = kind::trap;
      return made;
  }
  made.address = reinterpret_cast<std::uintptr_t>(signal.si_addr);
  const std::uint64_t page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const bool is_below_stack =
      stack_pointer_of(context) + 2 * page < stack_begin ||
      (made.address + 2 * page >= stack_begin && made.address < stack_begin + 2 * page);
  if (signal.si_code == SI_KERNEL) {  // the processor does not tell the address
    made.what = kind::wild_access;
  } else if (made.address == pc) {
    made.what = kind::jump;
    made.returns_to = return_address_of(context, stack_begin, stack_end);
  } else if (is_below_stack) {
    made.what = kind::stack_overflow;
  } else {
    made.what = is_write(context) ? kind::write : kind::read;
  }
  return made;
}

std::string native_fault::text() const {
  const char* const pointer = address < null_page ? "null pointer" : "wild pointer";
  switch (what) {
    case kind::read:
      return fmt::format("{} read at {:#x}", pointer, address);
    case kind::write:
      return fmt::format("{} write at {:#x}", pointer, address);
    case kind::wild_access:
      return "access through a wild pointer";
    case kind::jump:
      return fmt::format("jump through a {} to {:#x}", pointer, address);
    case kind::stack_overflow:
      return "stack overflow (parameter `stack`)";
    case kind::division:
      return "division by zero, or of the smallest integer by -1";
    case kind::trap:
      return "illegal instruction: an assertion or __builtin_trap?";
    case kind::abort:
      return "abort(), perhaps by a failed assertion";
    case kind::floating_point:
      return fmt::format("floating-point exception that the firmware has unmasked: {}",
                         floating_point_exception(code));
    case kind::exit:
      return fmt::format(
          "{} of the C library: firmware returns from main(), or calls hal_exit()",
          call ? fmt::format("{}()", call) : fmt::format("raise(SIG{})", sigabbrev_np(raised)));
    case kind::idle_calls:
      return "calls the HAL again and again while no time passes: an endless loop?";
    case kind::endless_loop:
      return "computes without a call of the HAL: an endless loop?";
  }
  return {};
}

}  // namespace heddle
