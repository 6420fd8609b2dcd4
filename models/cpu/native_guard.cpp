#include "models/cpu/native_guard.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "platform/firmware/standard_floats.hpp"
#include "platform/services/interrupt_watch.hpp"

namespace heddle {
namespace {

constexpr int fault_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
// Those that a program may raise and that end it unless it handles them.
constexpr int raised_signals[] = {SIGHUP,  SIGINT,  SIGQUIT,   SIGUSR1, SIGUSR2,
                                  SIGPIPE, SIGALRM, SIGTERM,   SIGPROF, SIGIO,
                                  SIGXCPU, SIGXFSZ, SIGSTKFLT, SIGPWR,  SIGSYS};
constexpr suseconds_t tick_us = 250'000;
constexpr std::uint64_t page = 4096;
constexpr std::uint64_t frames_above = page;  // those of the firmware: the thread's own functions

// Threads that run firmware. Read by signal handlers, which interrupt this one system thread, also
// while the process ends and firmware of a run that failed still waits: never destroyed.
std::vector<native_guard*>& guards = *new std::vector<native_guard*>;
native_guard* landed = nullptr;  // whose firmware was stopped last
std::array<struct sigaction, NSIG> actions_before;

void on_signal(int number, int flags, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | flags;
  sigaction(number, &action, &actions_before[static_cast<std::size_t>(number)]);
}

// As without a guard. What the processor has signaled happens again.
void pass_on(int number, bool is_sent) {
  sigaction(number, &actions_before[static_cast<std::size_t>(number)], nullptr);
  if (is_sent) raise(number);  // comes once the handler has returned
}

}  // namespace

void native_guard::install_handlers() {
  static bool is_installed = false;
  if (is_installed) return;
  is_installed = true;
  static std::array<unsigned char, std::size_t{1} << 16> stack;
  stack_t own = {};
  own.ss_sp = stack.data();
  own.ss_size = stack.size();
  sigaltstack(&own, nullptr);
  for (const int each : fault_signals) on_signal(each, SA_RESTART, handle_fault);
  for (const int each : raised_signals) on_signal(each, 0, handle_raised);
  on_signal(SIGVTALRM, SA_RESTART, handle_timer);
  std::atexit(handle_exit);
  std::at_quick_exit(handle_quick_exit);
  const itimerval every = {{0, tick_us}, {0, tick_us}};
  setitimer(ITIMER_VIRTUAL, &every, nullptr);
}

native_guard::~native_guard() {
  leave();
}

void native_guard::leave() {
  standard_floats::restore();
  guards.erase(std::remove(guards.begin(), guards.end(), this), guards.end());
}

void native_guard::call(firmware_registry::entry_point entry) {
  install_handlers();
  frames_end_ = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  stack_begin_ = frames_end_ + frames_above - stack_bytes_;
  guards.push_back(this);
  constexpr int with_signal_mask = 1;
  if (sigsetjmp(landing_, with_signal_mask) != 0) go_on_after_fault();
  go_on_after_return(entry());
}

void native_guard::go_on_after_return(int code) {
  native_guard* const guard = in_control();
  if (!guard) std::abort();
  guard->leave();
  guard->then_.after_return(code);
  std::abort();
}

void native_guard::go_on_after_fault() {
  landed->leave();
  landed->then_.after_fault(landed->fault_);
  std::abort();
}

void native_guard::land() {
  landed = this;
  siglongjmp(landing_, 1);
}

native_guard* native_guard::guard_of(std::uint64_t stack_pointer) {
  for (native_guard* each : guards)
    if (stack_pointer + 2 * page >= each->stack_begin_ &&
        stack_pointer < each->frames_end_ + frames_above)
      return each;
  return nullptr;
}

native_guard* native_guard::in_control() {
  const auto found = std::find_if(guards.begin(), guards.end(), [](const native_guard* each) {
    return !each->core_.is_called();
  });
  return found == guards.end() ? nullptr : *found;
}

// A frame larger than what is left of the stack lies on no stack that is known, or on that of a
// neighbor: whoever has control is asked first. nullptr: the simulator alone has led there.
native_guard* native_guard::guard_behind(const void* context) {
  native_guard* const guard = in_control();
  return guard ? guard : guard_of(stack_pointer_of(context));
}

void native_guard::handle_fault(int number, siginfo_t* signal, void* context) {
  if (native_fault::is_sent(*signal)) return handle_raised(number, signal, context);
  native_guard* const guard = guard_behind(context);
  if (!guard) return pass_on(number, false);
  guard->stop_at(*signal, context);
}

// Only the program itself can have raised it for the firmware: whatever another process or the
// terminal sends is meant for the simulator. So is the end of who reads its output, for which the
// system sends what kill() of the program itself would.
void native_guard::handle_raised(int number, siginfo_t* signal, void* context) {
  const bool is_raised =
      signal->si_code == SI_TKILL || (signal->si_code == SI_USER && number != SIGPIPE);
  native_guard* const guard =
      is_raised && signal->si_pid == getpid() ? guard_behind(context) : nullptr;
  if (!guard) return pass_on(number, true);
  guard->stop_at(*signal, context);
}

void native_guard::stop_at(const siginfo_t& signal, const void* context) {
  fault_ = native_fault::of(signal, context, stack_begin_, frames_end_);
  land();
}

// Inside a call of the HAL the simulator works, which cannot be left anywhere.
void native_guard::handle_timer(int, siginfo_t*, void* context) {
  native_guard* const guard = guard_of(stack_pointer_of(context));
  if (!guard || !guard->is_stuck() || guard->core_.is_called()) return;
  const bool has_called = guard->calls_then_ != guard->core_.calls();
  guard->fault_ = {has_called ? native_fault::kind::idle_calls : native_fault::kind::endless_loop,
                   0, program_counter_of(context) + 1};
  guard->land();
}

void native_guard::stop_exit(const char* call) {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  native_guard* const guard = guard_of(here);
  if (!guard || guard->core_.is_called()) return;
  std::atexit(handle_exit);
  std::at_quick_exit(handle_quick_exit);
  guard->fault_ = native_fault::exit_by(call, here, guard->stack_begin_, guard->frames_end_);
  guard->land();
}

// Both run on the stack of who called exit(). A jump out of an exit handler is undefined in ISO C;
// the C library of GNU holds no lock while it calls one, and has forgotten the handler by then,
// which is registered again for the next core.
void native_guard::handle_exit() {
  stop_exit("exit");
}
void native_guard::handle_quick_exit() {
  stop_exit("quick_exit");
}

bool native_guard::is_stuck() {
  if (time_seen_ != core_.local_time()) {
    time_seen_ = core_.local_time();
    calls_then_ = core_.calls();
    ticks_ = 0;
    return false;
  }
  ++ticks_;
  const bool is_over = limit_ > 0 && ticks_ * (tick_us / 1e6) >= limit_;
  return is_over || interrupt_watch::is_interrupted();
}

}  // namespace heddle
