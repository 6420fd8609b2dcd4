// The eight FPUs of a cluster: one operation of 8 FP64 lanes starts a cycle, the result of a
// router's comes `latency` cycles later (Direct Compute Access, collective NoC 3.2.1). The
// cluster's own work takes its cycles at `issue`: a stream one at a time, a run many in a row. The
// source says that both are arbitrated, not how; here
//
//   - an operation of a router or a stream takes a cycle of a run, which ends a cycle later, but
//     never two in a row: when both always have work each gets every second cycle;
//   - a router and a stream take turns, too; a cycle that the stream was given is not taken back.
//
// Limitations: at most one run at a time; the lanes of an operation are never split; every type has
// the latency and the energy of FP64.
#pragma once

#include <vector>

#include "platform/trace/trace_scope.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/flit/flit_payloads.hpp"
#include "transactors/flit/issue_port.hpp"
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
  parameter<double> energy{*this, "energy", 19.0, "pJ of an addition in a lane",
                           "collective NoC Table 1: DCA reduce"};
};

struct functional_unit_counters : statistic_set {
  statistic operations{*this, "operations", quantity::count, "two-operand operations of 8 lanes"};
  statistic busy{*this, "busy", quantity::busy, "time in which an operation started"};
  statistic borrowed{*this, "borrowed", quantity::count,
                     "cycles that a router took from a run of the cluster's own"};
  statistic waits{*this, "waits", quantity::count,
                  "cycles in which a router's operation waited for the cluster's"};
  statistic core_waits{*this, "core_waits", quantity::count,
                       "cycles by which the cluster's streams waited"};
};

class functional_unit final : public unit, private issue_arbiter {
 public:
  using parameters = functional_unit_parameters;
  using counters = functional_unit_counters;
  static std::vector<port_description> port_descriptions();

  functional_unit(const unit_context& context, const parameters& p);

  void on_connected() override;
  void evaluate(cycle_t now);  // one clock cycle
  const statistic_set* statistics() const override { return &counters_; }
  const functional_unit_counters& count() const { return counters_; }

 private:
  static constexpr cycle_t never = UINT64_MAX - 1;

  fs_t stream_delay(fs_t from) override;
  void start_run(cycle_t first, cycle_t cycles) override;
  cycle_t run_end() const override { return run_end_; }
  bool is_run(cycle_t cycle) const { return cycle >= run_first_ && cycle < run_end_; }
  // Whether the run gets this cycle, because another user had the one before.
  bool is_turn_of_run(cycle_t cycle) const;
  void compute(cycle_t now);

  enum class owner : std::uint8_t { idle, router, stream, run };
  void show(owner of, cycle_t cycle);
  owner resting_owner(cycle_t cycle) const;

  clock_member clock_;
  offload_target_port port_;
  issue_target_port issue_;
  cycle_t latency_;
  flit_payloads& payloads_;
  cycle_t run_first_ = 0, run_end_ = 0;
  cycle_t router_cycle_ = never, stream_cycle_ = never;  // the last one of each
  functional_unit_counters counters_;
  trace_signal<owner> owner_trace_;
  std::vector<cycle_t> given_;  // to the stream, of the present cycle and later; while traced
};

}  // namespace heddle
