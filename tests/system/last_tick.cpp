// A program that this is linked to ends with one more tick of the timer that watches native
// firmware, when all static objects have been destroyed. After a run that failed, the firmware of
// its cores has not returned by then.
#include <csignal>
#include <cstdlib>

namespace {

// Before any of those objects is made, hence after the last of them.
__attribute__((constructor(101))) void tick_at_the_end() {
  std::atexit([] {
    struct sigaction now = {};
    sigaction(SIGVTALRM, nullptr, &now);
    if (now.sa_flags & SA_SIGINFO) std::raise(SIGVTALRM);  // there is a timer
  });
}

}  // namespace
