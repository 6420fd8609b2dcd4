// The load and store side of NVLS in an accelerator: what the threads of a kernel do with
// multimem instructions, as one unit with registers.
//   LD_REDUCE   loads from a multicast region, reduced in the network, into memory
//   ST          stores from memory to every member of the region
//   RED         adds an operand to one word of every member
//   ALL_REDUCE  for each block: r = ld_reduce(source + x); st(destination + x, r); the result
//               stays in registers and never touches memory, as in the kernels of NCCL
//
// A block is a packet, or a train of them. Blocks are started in address order while fewer packets
// than `outstanding` are without response; the stores of an ALL_REDUCE inherit the place of their
// loads and go before further loads.
//
// Limitations: one operation at a time; issuing instructions takes no time of its own; an operation
// that fails may have stored part of its blocks.
#pragma once

#include <deque>

#include "models/inc/multimem/multimem_block.hpp"
#include "models/inc/multimem/multimem_regs.hpp"
#include "platform/buffers/engine_buffers.hpp"
#include "platform/pool/object_pool.hpp"
#include "platform/registers/operation_status.hpp"
#include "platform/time/timed_queue.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/memory/interrupt_events.hpp"
#include "transactors/memory/memory_port.hpp"
#include "transactors/memory/register_socket.hpp"
#include "transactors/packet/step_counter.hpp"

namespace heddle {

struct multimem_parameters : parameter_set {
  parameter<byte_size> block{*this,
                             "block",
                             4_KiB,
                             within(64_B, 64_KiB),
                             "most bytes in one access; no more than a train of the run, because "
                             "threads store as soon as the packet with their words is back",
                             "one interleave block: 256 threads, 16 B (multimem .v4.f32) each"};
  parameter<byte_size> packet{*this,
                              "packet",
                              128_B,
                              within(8_B, 64_KiB),
                              "most payload of its packets, no more than the network interface's "
                              "`mtu`; `outstanding` counts them",
                              "SCIN 4.1"};
  parameter<std::uint64_t> outstanding{
      *this,
      "outstanding",
      2048,
      within(1, 1 << 20),
      "packets without response, loads and stores together",
      "16 thread blocks of 512 threads with a load and a store of 16 B each: 2 x 128 KiB; Little's "
      "law asks for 40 GB/s x 2 x 1.4 us / 128 B = 875"};
};

struct multimem_counters : statistic_set {
  statistic operations{*this, "operations", quantity::count, "operations completed"};
  statistic bytes{*this, "bytes", quantity::bytes, "bytes of completed operations"};
  statistic in_operations{*this, "in_operations", quantity::time,
                          "time from starts to completions, waiting for the network included"};
  statistic stalls{*this, "stalls", quantity::count,
                   "times when a block waited for the outstanding limit"};
  statistic peak_outstanding{*this, "peak_outstanding", quantity::count,
                             "most packets without response"};
  statistic errors{*this, "errors", quantity::count, "operations refused or failed"};
};

class multimem_unit final : public unit {
 public:
  using parameters = multimem_parameters;
  using counters = multimem_counters;
  static std::vector<port_description> port_descriptions();

  multimem_unit(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }
  std::string waiting_for() const override;
  std::uint32_t packet_bytes() const { return packet_bytes_; }          // of payload
  std::uint32_t most_outstanding() const { return most_outstanding_; }  // packets

 private:
  using error = multimem_regs::status_error;
  using kind = multimem_regs::operation_kind;

  struct done_block {
    multimem_block* block = nullptr;
    bool is_ok = false;
  };

  std::uint32_t packets_of_block(const parameters& p) const;

  // Operations
  void start();
  bool is_sensible() const;
  void finish();
  void fail(error reason, const std::string& what);

  // Blocks (multimem_blocks.cpp)
  void pump();
  bool start_next_block();
  void prepare_block(multimem_block& block);
  void load_local(multimem_block& block);
  multimem_requester::access& aim(multimem_requester& through, multimem_block& block,
                                  tlm::tlm_command command);
  multimem_requester::access& aim_at_region(multimem_block& block, bool is_load);
  void take_staged();
  void launch();
  void fabric_has_room();
  void take_response(multimem_requester::access& over, fs_t delay);
  void store_local(multimem_block& block, fs_t delay);
  void end_local(multimem_requester::access& over, fs_t delay);
  void done(multimem_block& block, fs_t delay, bool is_ok);
  void retire_blocks();
  void retire(multimem_block& block, bool is_ok);
  bool is_current(const multimem_block& block) const;

  const std::uint32_t packet_bytes_, block_bytes_, most_outstanding_;
  const bool carries_data_;

  multimem_counters counters_;
  multimem_registers regs_;
  operation_status<multimem_registers> status_;
  register_socket registers_socket_;
  multimem_requester memory_socket_, fabric_socket_;
  memory_initiator_port memory_port_, fabric_port_;
  interrupt_events<multimem_registers> events_;
  engine_buffers buffers_;

  kind kind_ = kind::LD_REDUCE;
  multimem_extension reduction_;
  std::uint32_t bytes_ = 0;    // of the operation
  std::uint32_t begun_ = 0;    // of them, given to blocks
  std::uint32_t retired_ = 0;  // of them, done
  std::uint32_t operation_ = 0;
  std::uint32_t outstanding_ = 0;  // packets
  step_counter steps_;             // blocks
  fs_t started_ = 0;

  object_pool<multimem_block> blocks_;
  timed_queue<multimem_block*> staged_;         // due when their data is here
  std::deque<multimem_block*> loads_, stores_;  // wait for the fabric
  cause launch_why_;                            // the fabric took the one before
  timed_call launch_;
  timed_queue<done_block> done_;  // due when they are visible
  void* const no_data_;           // what payloads point to when data is off
  trace_signal<std::uint64_t> outstanding_trace_;
};

}  // namespace heddle
