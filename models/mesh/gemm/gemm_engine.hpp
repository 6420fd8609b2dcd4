// The eight compute cores of a cluster at work on a GEMM: C = A B or C = C + A B, FP64 tiles in the
// L1, row by row without gaps. Each element of C is one chain of fused multiply-adds with k = 0, 1,
// 2, ...; an operation of n multiply-adds takes 2 n / (flops x utilization) cycles, rounded up,
// that begin `launch` cycles after the write to `start`. Its cycles are a run on the FPUs at `fpus`
// (functional_unit.hpp), so a router that borrows them ends it later; where that port is open,
// nobody does.
//
// Limitations: A, B and, to add, C are read when the operation starts, C is written when it ends;
// these accesses take no cycles of the L1, since what they cost the cores is part of the
// utilization (collective NoC 4.3.1, footnote 7), and cost the DMA engine nothing.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <string>
#include <vector>

#include "models/mesh/gemm/gemm_engine_regs.hpp"
#include "platform/explain/running_cause.hpp"
#include "platform/registers/operation_status.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/flit/issue_port.hpp"
#include "transactors/memory/memory_port.hpp"
#include "transactors/memory/register_socket.hpp"

namespace heddle {

struct gemm_engine_parameters : parameter_set {
  parameter<duration> cycle{
      *this, "cycle", 1_ns, within(1_fs, 1_ms), "clock period", "collective NoC 4: 1 GHz"};
  parameter<std::uint64_t> flops{*this,
                                 "flops",
                                 16,
                                 within(1, 4096),
                                 "floating-point operations a cycle, at best",
                                 "collective NoC 2.2: 8 cores, a 64-bit multiply-add each"};
  parameter<double> utilization{*this,
                                "utilization",
                                0.981,
                                within(0.01, 1.0),
                                "share of that which a GEMM reaches",
                                "collective NoC 4.3.1: median measured in RTL simulation"};
  parameter<std::uint64_t> launch{*this,
                                  "launch",
                                  1,
                                  within(1, 1024),
                                  "cycles from the write to `start` to the first operation",
                                  "one register"};
  parameter<double> energy{*this, "energy", 24.6, "pJ of a multiply-add",
                           "collective NoC Table 1: GEMM"};
};

struct gemm_engine_counters : statistic_set {
  statistic operations{*this, "operations", quantity::count, "tiles completed"};
  statistic multiply_adds{*this, "multiply_adds", quantity::count, "of them"};
  statistic busy{*this, "busy", quantity::busy, "time in operations"};
  statistic borrowed{*this, "borrowed", quantity::time, "of it, cycles that others took"};
  statistic errors{*this, "errors", quantity::count, "operations refused or failed"};
};

class gemm_engine final : public unit {
 public:
  using parameters = gemm_engine_parameters;
  using counters = gemm_engine_counters;
  static constexpr std::uint32_t longest_side = 4096;
  static std::vector<port_description> port_descriptions();

  gemm_engine(const unit_context& context, const parameters& p);

  void evaluate(cycle_t now);  // one clock cycle
  const statistic_set* statistics() const override { return &counters_; }
  const gemm_engine_counters& count() const { return counters_; }
  std::string waiting_for() const override;

 private:
  using error = gemm_engine_regs::status_error;

  void start();
  void begin();
  bool read_tiles();
  bool access(tlm::tlm_command command, std::uint64_t address, std::vector<double>& tile);
  cycle_t cycles_of(std::uint64_t multiply_adds) const;
  cycle_t end_of_operation() const;
  void finish();
  void fail(error reason, const std::string& what);

  const double flops_;  // a cycle
  const cycle_t launch_;
  const bool carries_data_;
  clock_member clock_;

  gemm_engine_counters counters_;
  gemm_engine_registers regs_;
  operation_status<gemm_engine_registers> status_;
  register_socket registers_socket_;
  tlm_utils::simple_initiator_socket<gemm_engine> memory_socket_;
  memory_initiator_port memory_port_;
  issue_initiator_port fpus_port_;

  std::size_t rows_ = 0, columns_ = 0, depth_ = 0;
  std::vector<double> a_, b_, c_;
  cycle_t first_ = 0, cycles_ = 0;  // of the operation
  fs_t started_ = 0;
  cause why_;
};

}  // namespace heddle
