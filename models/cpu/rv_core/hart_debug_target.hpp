// A core that executes instructions as a debugger sees it: registers, memory, breakpoints, and what
// the debugger is told when the core stops.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/cpu/bus_view.hpp"
#include "models/cpu/rv/any_hart.hpp"
#include "models/cpu/rv_core/core_clock.hpp"
#include "models/cpu/rv_core/host_window.hpp"
#include "platform/debug/debug_target.hpp"

namespace heddle {

class hart_debug_target final : public debug_target {
 public:
  // All must outlive it.
  hart_debug_target(const unit& core, rv::any_hart& hart, core_clock& clock, const bus_view& bus,
                    host_window& host);

  // Of the core, in its thread. Simulated time stands still until the debugger lets it go on.
  void start();  // before the first instruction
  void stop(rv::stop_reason why);
  // While the debugger lets others run alone.
  void wait_while_held() {
    if (behind_ && behind_->executed() > executed_before_ + 1) wait_for_release();
  }

  const std::string& debug_name() const override;
  std::string debug_state() const override;
  std::string architecture() const override;
  const std::vector<debug_register>& debug_registers() const override;
  unsigned general_registers() const override;
  bool read_register(unsigned number, std::uint64_t& value) override;
  bool write_register(unsigned number, std::uint64_t value) override;
  bool read_memory(std::uint64_t address, void* to, std::uint64_t bytes) override;
  bool write_memory(std::uint64_t address, const void* from, std::uint64_t bytes) override;
  void memory_changed() override { hart_.refetch(); }
  void set_breakpoints(const std::vector<std::uint64_t>& addresses) override;
  void set_watches(const std::vector<debug_watch>& watches) override;
  void step() override { hart_.stop_after_one(); }
  void cancel_step() override { hart_.cancel_stop_after_one(); }
  std::uint64_t executed() const override { return hart_.instructions(); }
  void hold_behind(const debug_target* other) override;
  void show_as_done() override { hart_.show_as_done(); }

 private:
  bool access_memory(tlm::tlm_command command, std::uint64_t address, void* data,
                     std::uint64_t bytes);
  debug_host* host() const;  // nullptr: nobody debugs
  void wait_for_release();

  const unit& core_;
  rv::any_hart& hart_;
  core_clock& clock_;
  const bus_view& bus_;
  host_window& host_;
  const debug_target* behind_ = nullptr;  // the core that goes on alone
  std::uint64_t executed_before_ = 0;     // by it
  sc_core::sc_event released_;
};

}  // namespace heddle
