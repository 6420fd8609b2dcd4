// Linked to a program, lets the timer that watches native firmware tick once more when the static
// objects of the process have been destroyed. The cores of a run that failed still have firmware.
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
