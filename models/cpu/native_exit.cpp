// _exit() and _Exit() end the process without calling its exit handlers. These definitions take the
// place of those of the C library, for firmware that is linked to the program and for firmware in
// shared objects. Calls inside the C library still go to its own.
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

#include "models/cpu/native_guard.hpp"

namespace {

[[noreturn]] void leave(const char* call, int code) {
  heddle::native_guard::stop_exit(call);
  for (;;) syscall(SYS_exit_group, code);
}

}  // namespace

extern "C" {

void _exit(int code) {
  leave("_exit", code);
}

void _Exit(int code) noexcept {
  leave("_Exit", code);
}
}
