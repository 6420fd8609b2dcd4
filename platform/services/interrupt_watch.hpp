// Ctrl-C during a run, a terminal that closes, or a batch system that ends it: while an
// interrupt_watch lives, the first SIGINT, SIGHUP or SIGTERM is only noted, so that the run can end
// in order; a second one of the same kind ends the program as usual. Where SIGHUP is ignored, as
// under nohup, it stays so.
#pragma once

#include <array>
#include <csignal>
#include <cstddef>

namespace heddle {

class interrupt_watch {
 public:
  interrupt_watch();
  ~interrupt_watch() {
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
  }
  interrupt_watch(const interrupt_watch&) = delete;
  interrupt_watch& operator=(const interrupt_watch&) = delete;

  // Since the watch that lives, or the last one, was made.
  static bool is_interrupted() { return was_interrupted_ != 0; }

 private:
  static constexpr std::array<int, 3> signals = {SIGINT, SIGHUP, SIGTERM};

  inline static volatile std::sig_atomic_t was_interrupted_ = 0;
  std::array<struct sigaction, signals.size()> before_ = {};
};

inline interrupt_watch::interrupt_watch() {
  was_interrupted_ = 0;
  struct sigaction noted = {};
  noted.sa_handler = [](int) { was_interrupted_ = 1; };
  noted.sa_flags = static_cast<int>(SA_RESETHAND);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    sigaction(signals[i], &noted, &before_[i]);
    const bool was_ignored = before_[i].sa_handler == SIG_IGN;
    if (signals[i] == SIGHUP && was_ignored) sigaction(SIGHUP, &before_[i], nullptr);
  }
}

}  // namespace heddle
