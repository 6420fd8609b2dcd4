// The poll that the program of a core is in, as it has said through the host registers: explains
// what the poll has waited for, and reports one that waits in vain as a hang.
#pragma once

#include <cstdint>
#include <string>

#include "models/cpu/core_activity.hpp"
#include "models/cpu/core_bus.hpp"
#include "models/cpu/repeated_reads.hpp"
#include "models/cpu/rv_core/core_clock.hpp"
#include "models/cpu/rv_core/program_end.hpp"
#include "models/cpu/rv_core/rv_core_counters.hpp"
#include "platform/services/link_directory.hpp"

namespace heddle {

class poll_watch {
 public:
  // All must outlive it. `limit`: a poll in vain for so long, while no wire carries anything, is a
  // hang; 0: never.
  poll_watch(const unit& core, core_bus& bus, core_clock& clock, core_activity& activity,
             program_end& end, rv_core_counters& counters, fs_t limit);

  void observe(program_observer* by) { observer_ = by; }

  // `what`: the condition on the value, for messages.
  void begin(const char* what, std::uint64_t address, std::uint64_t value);
  void end();
  bool is_active() const { return is_active_; }
  // A load of the program has returned the value. Does not return if that is a hang.
  void look(std::uint64_t value);
  // A load outside of polls: does not return if it is one of a loop in vain.
  void look_by_hand(std::uint64_t address, std::uint64_t value);
  void forget_loop() { loop_.forget(); }
  std::string text() const;  // "0x100 (gpu[0].dma ...) to equal 0x1, since 2 us"

 private:
  void explain();

  core_bus& bus_;
  core_clock& clock_;
  core_activity& activity_;
  program_end& end_;
  rv_core_counters& counters_;
  const fs_t limit_;
  program_observer* observer_ = nullptr;

  bool is_active_ = false;
  const char* what_ = "";
  std::uint64_t address_ = 0, value_ = 0;
  fs_t since_ = 0;
  wire_watch wires_;  // a poll is in vain while none of them carries anything
  cause begun_;       // what the core had done before
  repeated_reads loop_;
};

}  // namespace heddle
