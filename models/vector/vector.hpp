// Vector unit: destination = destination op source over arrays in memory, one operation at a time.
// An operation takes its latency plus its result bytes at the stated rate, or as long as memory
// needs for the operands, whichever is later; then the result is written.
//
// Limitations: operands are read when the operation starts, not while it goes on.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <vector>

#include "models/vector/vector_regs.hpp"
#include "platform/tensor/dtype.hpp"
#include "platform/tensor/reduce.hpp"
#include "platform/time/agenda.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/memory/extensions.hpp"
#include "transactors/memory/memory_port.hpp"
#include "transactors/memory/register_socket.hpp"

namespace heddle {

struct vector_parameters : parameter_set {
  parameter<bandwidth> rate{*this, "bandwidth", bandwidth(1'600'000'000'000),
                            "bytes of result per second",
                            "memory-bound: two reads and a write share the 4.8 TB/s of an H200"};
  parameter<duration> latency{*this, "latency", duration{50 * fs_per_ns},
                              "start to first result, and drain",
                              "a pipeline of about 100 stages at 2 GHz"};
};

struct vector_counters : statistic_set {
  statistic operations{*this, "operations", quantity::count, "operations completed"};
  statistic bytes{*this, "bytes", quantity::bytes, "bytes of result"};
  statistic busy{*this, "busy", quantity::time, "time in operations"};
  statistic errors{*this, "errors", quantity::count, "operations refused or failed"};
};

class vector_unit final : public unit {
 public:
  using parameters = vector_parameters;
  using counters = vector_counters;
  static std::vector<port_description> port_descriptions();

  vector_unit(const unit_context& context, const parameters& p);
  ~vector_unit() override;

  const statistic_set* statistics() const override { return &counters_; }
  std::string waiting_for() const override;

 private:
  using state = vector_regs::status_state;
  using error = vector_regs::status_error;

  void start();
  void write_result();
  void finish();
  void fail(error reason, const std::string& what);
  void show_state(state now);
  fs_t access(tlm::tlm_command command, std::uint64_t address, std::vector<unsigned char>& data);

  const bandwidth rate_;
  const fs_t latency_;
  const bool carries_data_;

  vector_counters counters_;
  vector_registers regs_;
  register_socket registers_socket_;
  tlm_utils::simple_initiator_socket<vector_unit> memory_socket_;
  memory_initiator_port memory_port_;
  timed_call computed_, written_;

  std::vector<unsigned char> result_, operand_;
  std::uint32_t bytes_ = 0;
  fs_t started_ = 0;
  bool is_ok_ = true;
  tlm::tlm_generic_payload payload_;
  bulk_extension bulk_;
  trace_signal<state> state_trace_;
};

}  // namespace heddle
