// The status register of a unit that does one operation at a time: IDLE, BUSY, or ERROR once one
// has failed, until it is reset. A start that comes in another state than IDLE is told and changes
// nothing but, while BUSY, the error field: the operation goes on.
//
// Registers is the generated block of a unit. It has `start` and a `status` with the fields `state`
// (IDLE, BUSY, ERROR) and `error` (NONE, STARTED_WHILE_BUSY and reasons of its own), and if the
// unit can be reset, `control` with the field `reset` (NO, YES).
#pragma once

#include <string>
#include <utility>

#include "platform/time/fs_time.hpp"
#include "platform/trace/trace_scope.hpp"

namespace heddle {

template <class Registers>
class operation_status {
 public:
  using state = decltype(std::declval<const Registers&>().status.state.get());
  using error = decltype(std::declval<const Registers&>().status.error.get());

  // `names` are those of the states, for waves.
  operation_status(Registers& registers, const trace_scope& scope, const trace_states& names)
      : registers_(registers), trace_(scope.state<state>("state", names)) {
    trace_.set(state::IDLE, 0);
  }

  bool is_busy() const { return registers_.status.state.get() == state::BUSY; }

  // Whether an operation may begin.
  bool takes_start() {
    const state now = registers_.status.state.get();
    if (now == state::IDLE) return true;
    if (now == state::BUSY) registers_.status.error.set(error::STARTED_WHILE_BUSY);
    registers_.report(registers_.start, now == state::BUSY
                                            ? "started while busy"
                                            : "started after an error, before a reset");
    return false;
  }
  void begin() { show(state::BUSY); }
  void end() { show(state::IDLE); }
  void fail(error reason, const std::string& what) {
    registers_.status.error.set(reason);
    show(state::ERROR);
    registers_.report(registers_.start, what);
  }
  // control has been written. An operation under way is not taken back.
  void reset() {
    using asked = decltype(registers_.control.reset.get());
    if (registers_.control.reset.get() != asked::YES || is_busy()) return;
    registers_.status.error.set(error::NONE);
    if (registers_.status.state.get() == state::ERROR) show(state::IDLE);
  }

 private:
  void show(state now) {
    registers_.status.state.set(now);
    trace_.set(now, now_fs());
  }

  Registers& registers_;
  trace_signal<state> trace_;
};

}  // namespace heddle
