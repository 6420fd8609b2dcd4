// Waiting for another thread without the operating system, where it takes microseconds at most.
#pragma once

#include <thread>

namespace heddle {

// What a thread does between two looks. For some 0.5 us it looks as fast as it can. Then it pauses
// in between, so that a thread on the same core gets on, and after some 10 us it yields.
class pause_between_looks {
 public:
  void operator()() {
    constexpr int looks_before_pause = 500, looks_before_yield = 1000;
    if (looks_ >= looks_before_yield) return std::this_thread::yield();
    if (++looks_ <= looks_before_pause) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

 private:
  int looks_ = 0;
};

template <class Condition>
void wait_until(const Condition& is_so) {
  for (pause_between_looks pause; !is_so();) pause();
}

// Whether it was so within that many looks.
template <class Condition>
bool is_within_looks(int looks, const Condition& is_so) {
  pause_between_looks pause;
  for (; looks > 0; --looks) {
    if (is_so()) return true;
    pause();
  }
  return false;
}

}  // namespace heddle
