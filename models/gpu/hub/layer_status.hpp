// Whether a layer runs, has ended or has failed, as the registers and the interrupt line show it.
#pragma once

#include <cstdint>
#include <string>

#include "models/gpu/hub/hub_parameters.hpp"
#include "models/gpu/hub/token_hub_regs.hpp"
#include "transactors/memory/interrupt_events.hpp"

namespace heddle {

class layer_status {
 public:
  using error = token_hub_regs::status_error;

  layer_status(unit& owner, token_hub_registers& registers, token_hub_counters& counters)
      : registers_(registers), counters_(counters), events_(owner, registers) {}

  bool is_idle() const { return registers_.status.state.get() == state::IDLE; }
  // Whether a layer was started and has neither ended nor failed.
  bool is_busy() const { return registers_.status.state.get() == state::BUSY; }
  bool has_failed() const { return registers_.status.state.get() == state::ERROR; }
  // Whether all ranks have told their counts, and the tables are there.
  bool is_running() const { return is_running_; }

  void start() { registers_.status.state.set(state::BUSY); }
  void run() { is_running_ = true; }
  void stop() { is_running_ = false; }
  void complete();
  // The first reason counts, and is final. `token` and `expert`: 0 where it is about none.
  void fail(error reason, std::uint32_t token, std::uint32_t expert);
  void fail(error reason, std::uint32_t token, std::uint32_t expert, const std::string& what);

  // A row or a token is ready, or the ring of commands is empty.
  void tell_ready() { events_.raise(ready_bit); }

 private:
  using state = token_hub_regs::status_state;
  static constexpr std::uint32_t completed_bit = 1, failed_bit = 2, ready_bit = 4;

  token_hub_registers& registers_;
  token_hub_counters& counters_;
  interrupt_events<token_hub_registers> events_;
  bool is_running_ = false;
};

}  // namespace heddle
