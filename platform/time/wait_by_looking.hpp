// Waiting for another thread without the operating system, where it takes microseconds at most.
#pragma once

#include <climits>
#include <thread>

namespace heddle {

// Whether it was so within that many looks. The first of them, some 0.5 us, come as fast as they
// can, others leave the processor to whom it shares a core with, and behind some 10 us the thread
// gives it to other threads in between.
template <class Condition>
bool wait_until(const Condition& is_so, int looks = INT_MAX) {
  constexpr int looks_before_pause = 500, looks_before_yield = 1000;
  for (int look = 0; look < looks; ++look) {
    if (is_so()) return true;
    if (look < looks_before_pause) continue;
    if (look >= looks_before_yield) {
      std::this_thread::yield();
      continue;
    }
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  return is_so();
}

}  // namespace heddle
