// A barrier in hardware: the gate opens once `expected` cores have written to its register.
//
// Limitations: it counts writes, not cores; a core that arrives twice is counted twice.
#pragma once

#include <string>
#include <vector>

#include "gate_regs.hpp"
#include "platform/time/agenda.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/memory/register_socket.hpp"

namespace outside {

struct gate_parameters : heddle::parameter_set {
  heddle::parameter<std::uint64_t> expected{*this,
                                            "expected",
                                            2,
                                            heddle::within(1, 1024),
                                            "arrivals that open the gate",
                                            "the smallest barrier"};
  heddle::parameter<heddle::duration> latency{
      *this, "latency", heddle::duration{20 * heddle::fs_per_ns}, "last arrival to opening",
      "about 40 cycles at 2 GHz"};
};

struct gate_counters : heddle::statistic_set {
  heddle::statistic arrivals{*this, "arrivals", heddle::quantity::count, "writes to `arrive`"};
  heddle::statistic openings{*this, "openings", heddle::quantity::count, "times it opened"};
  heddle::statistic gathering{*this, "gathering", heddle::quantity::time, "first arrival to last"};
};

class gate final : public heddle::unit {
 public:
  using parameters = gate_parameters;
  using counters = gate_counters;
  static std::vector<heddle::port_description> port_descriptions();

  gate(const heddle::unit_context& context, const parameters& p);

  const heddle::statistic_set* statistics() const override { return &counters_; }
  std::string waiting_for() const override;

 private:
  void arrive();
  void open();

  const std::uint64_t expected_;
  const heddle::fs_t latency_;
  gate_counters counters_;
  heddle::gate_registers regs_;
  heddle::register_socket registers_socket_;
  heddle::timed_call opens_;
  heddle::trace_signal<std::uint64_t> arrived_trace_;
  std::uint64_t arrived_ = 0;
  heddle::fs_t first_arrival_ = 0;
};

}  // namespace outside
