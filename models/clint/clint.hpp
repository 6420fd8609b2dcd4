// Core-local interruptor: software interrupts between harts, and a timer with a compare register a
// hart. Registers of harts that the unit does not have read as zero and ignore writes.
//
// The `time` CSR of cores that have the unit among their devices is mtime.
//
// Limitations: mtime has no hardware reset line; a write to it moves all timers at once.
#pragma once

#include <memory>
#include <vector>

#include "models/clint/clint_regs.hpp"
#include "platform/time/agenda.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/memory/machine_timer.hpp"
#include "transactors/memory/memory_port.hpp"
#include "transactors/memory/register_socket.hpp"

namespace heddle {

struct clint_parameters : parameter_set {
  parameter<std::uint64_t> harts{
      *this, "harts", 1, within(1, 64), "harts with an interrupt line of each kind", "one core"};
  parameter<duration> tick{*this,      "tick",           1_ns, within(1_fs, 1000_ms),
                           "of mtime", "1 GHz time base"};
};

struct clint_counters : statistic_set {
  statistic software{*this, "software", quantity::count, "software interrupts raised"};
  statistic timer{*this, "timer", quantity::count, "timer interrupts raised"};
};

class clint final : public unit, public machine_timer {
 public:
  using parameters = clint_parameters;
  using counters = clint_counters;
  static std::vector<port_description> port_descriptions();

  clint(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }

  fs_t tick() const override { return tick_; }
  std::uint64_t mtime(fs_t at) const override { return at / tick_ + offset_; }

 private:
  struct hart_lines {
    hart_lines(clint& owner, std::size_t number);
    interrupt_output_port software, timer;
    bool is_timer_up = false;
  };

  std::uint64_t mtime() const { return mtime(now_fs()); }
  void set_mtime(std::uint64_t value);
  void update_timers();
  fs_t due(std::uint64_t compare) const;  // fs_never when that is beyond simulated time

  const fs_t tick_;
  clint_counters counters_;
  clint_registers regs_;
  register_socket socket_;
  std::vector<std::unique_ptr<hart_lines>> harts_;
  std::uint64_t offset_ = 0;  // of mtime; wraps
  timed_call next_timer_;
};

}  // namespace heddle
