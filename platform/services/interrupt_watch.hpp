// Ctrl-C during a run, a terminal that closes, or a batch system that ends it: while an
// interrupt_watch lives, the first SIGINT, SIGHUP or SIGTERM is only noted, so that the run can end
// in order; a second one of the same kind ends the program as usual. Where SIGHUP is ignored, as
// under nohup, it stays so. There is one watch at a time.
#pragma once

#include <array>
#include <csignal>
#include <cstddef>

namespace heddle {

class interrupt_watch {
 public:
  interrupt_watch();
  ~interrupt_watch() {
    for (const int each : signals) restore(each);
  }
  interrupt_watch(const interrupt_watch&) = delete;
  interrupt_watch& operator=(const interrupt_watch&) = delete;

  // Since the watch that lives, or the last one, was made.
  static bool is_interrupted() { return was_interrupted_ != 0; }

 private:
  static constexpr std::array<int, 3> signals = {SIGINT, SIGHUP, SIGTERM};

  static void restore(int number) {
    for (std::size_t i = 0; i < signals.size(); ++i)
      if (signals[i] == number) sigaction(number, &before_[i], nullptr);
  }

  // Shells let programs in the background ignore SIGINT.
  static void end_by_second(int number) {
    struct sigaction now = {};
    sigaction(number, nullptr, &now);
    if (now.sa_handler == SIG_IGN) std::signal(number, SIG_DFL);
  }

  inline static volatile std::sig_atomic_t was_interrupted_ = 0;
  inline static std::array<struct sigaction, signals.size()> before_ = {};
};

inline interrupt_watch::interrupt_watch() {
  was_interrupted_ = 0;
  struct sigaction noted = {};
  noted.sa_handler = [](int number) {
    was_interrupted_ = 1;
    restore(number);
    end_by_second(number);
  };
  for (std::size_t i = 0; i < signals.size(); ++i) {
    sigaction(signals[i], &noted, &before_[i]);
    const bool was_ignored = before_[i].sa_handler == SIG_IGN;
    if (signals[i] == SIGHUP && was_ignored) restore(SIGHUP);
  }
}

}  // namespace heddle
