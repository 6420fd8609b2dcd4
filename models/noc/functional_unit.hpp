// A pipelined arithmetic unit for a router's offload port: 8 FP64 lanes, one operation a cycle. It
// stands for the eight FPUs of a cluster that has no other work (Direct Compute Access).
//
// Limitations: nobody else competes for it.
#pragma once

#include <vector>

#include "platform/unit/registry.hpp"
#include "transactors/flit/flit_payloads.hpp"
#include "transactors/flit/offload_port.hpp"

namespace heddle {

struct functional_unit_parameters : parameter_set {
  parameter<duration> cycle{
      *this, "cycle", 1_ns, within(1_fs, 1_ms), "clock period", "collective NoC 4: 1 GHz"};
  parameter<std::uint64_t> latency{*this,
                                   "latency",
                                   3,
                                   within(1, 60),
                                   "cycles from operands to result",
                                   "FPnew in Snitch: 3 stages for FP64"};
  parameter<std::uint64_t> queue{*this,
                                 "queue",
                                 2,
                                 within(1, 64),
                                 "operand pairs that wait at the input",
                                 "a pair a cycle over a request path of one cycle"};
};

struct functional_unit_counters : statistic_set {
  statistic operations{*this, "operations", quantity::count, "two-operand operations of 8 lanes"};
  statistic busy{*this, "busy", quantity::busy, "time in which an operation started"};
};

class functional_unit final : public unit {
 public:
  using parameters = functional_unit_parameters;
  using counters = functional_unit_counters;
  static std::vector<port_description> port_descriptions();

  functional_unit(const unit_context& context, const parameters& p);

  void evaluate(cycle_t now);  // one clock cycle
  const statistic_set* statistics() const override { return &counters_; }
  const functional_unit_counters& count() const { return counters_; }

 private:
  clock_member clock_;
  offload_target_port port_;
  cycle_t latency_;
  flit_payloads& payloads_;
  functional_unit_counters counters_;
};

}  // namespace heddle
