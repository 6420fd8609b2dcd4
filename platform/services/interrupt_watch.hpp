// Ctrl-C during a run, or a batch system that ends it: while an interrupt_watch lives, the first
// SIGINT or SIGTERM is only noted, so that the run can end in order; a second one of the same kind
// ends the program as usual.
#pragma once

#include <csignal>

namespace heddle {

class interrupt_watch {
 public:
  interrupt_watch();
  ~interrupt_watch() {
    sigaction(SIGINT, &before_int_, nullptr);
    sigaction(SIGTERM, &before_term_, nullptr);
  }
  interrupt_watch(const interrupt_watch&) = delete;
  interrupt_watch& operator=(const interrupt_watch&) = delete;

  // Since the watch that lives, or the last one, was made.
  static bool is_interrupted() { return was_interrupted_ != 0; }

 private:
  inline static volatile std::sig_atomic_t was_interrupted_ = 0;
  struct sigaction before_int_ = {}, before_term_ = {};
};

inline interrupt_watch::interrupt_watch() {
  was_interrupted_ = 0;
  struct sigaction noted = {};
  noted.sa_handler = [](int) { was_interrupted_ = 1; };
  noted.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &noted, &before_int_);
  sigaction(SIGTERM, &noted, &before_term_);
}

}  // namespace heddle
