#include "platform/time/thread_wait.hpp"

#include <vector>

#include "platform/time/agenda.hpp"

namespace heddle {
namespace {

class waiting_thread {
 public:
  void wait_until(fs_t when) {
    due_.at(when);
    sc_core::wait(over_);
  }

 private:
  void resume() { over_.notify(); }

  timed_call due_ = timed_call::to<waiting_thread, &waiting_thread::resume>(*this);
  sc_core::sc_event over_;
};

}  // namespace

// As the agenda they are never destroyed: threads may wait until the process ends.
void wait_until(fs_t when) {
  static auto* const unused = new std::vector<waiting_thread*>;
  if (unused->empty()) unused->push_back(new waiting_thread);
  waiting_thread* const waiting = unused->back();
  unused->pop_back();
  waiting->wait_until(when);
  unused->push_back(waiting);
}

}  // namespace heddle
