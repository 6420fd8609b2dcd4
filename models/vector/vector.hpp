// Vector unit: destination = destination op source over arrays in memory, or block-wise
// quantization of one array and back (platform/tensor/quantize.hpp), one operation at a time. It
// streams blocks: each starts when the one before has passed at the stated rate, is computed
// `latency` after both operands are here, and is then written. The operation has completed when the
// last block is in memory.
//
// Where `fpus` is bound, the arithmetic of each block starts in a cycle of FPUs that it shares
// (transactors/flit/issue_port.hpp); a block is then what they do in a cycle.
//
// Limitations: overlapping arrays other than destination == source give what streaming gives.
#pragma once

#include <vector>

#include "models/vector/vector_regs.hpp"
#include "platform/buffers/engine_buffers.hpp"
#include "platform/explain/running_cause.hpp"
#include "platform/pool/object_pool.hpp"
#include "platform/registers/operation_status.hpp"
#include "platform/tensor/quantize.hpp"
#include "platform/tensor/reduce.hpp"
#include "platform/time/timed_queue.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/flit/issue_port.hpp"
#include "transactors/memory/extensions.hpp"
#include "transactors/memory/memory_port.hpp"
#include "transactors/memory/memory_requester.hpp"
#include "transactors/memory/register_socket.hpp"

namespace heddle {

struct vector_parameters : parameter_set {
  parameter<bandwidth> rate{*this, "bandwidth", 1600_GBps, "bytes of result per second",
                            "memory-bound: two reads and a write share the 4.8 TB/s of an H200"};
  parameter<duration> latency{*this, "latency", 50_ns, "operands to result",
                              "a pipeline of about 100 stages at 2 GHz"};
  parameter<byte_size> block{
      *this, "block", 4_KiB, within(64_B, 1_MiB), "bytes of result in one access", "AXI: 4 KiB"};
  parameter<std::uint64_t> in_flight{
      *this,
      "in_flight",
      128,
      within(1, 4096),
      "blocks between their read and their write at a time",
      "Little's law: 1.6 TB/s x 250 ns = 98 blocks of 4 KiB, the next power of two"};
  parameter<double> energy{*this, "energy", 0, "pJ of an operation on two elements; 0: unknown",
                           "a netlist says"};
};

struct vector_counters : statistic_set {
  statistic operations{*this, "operations", quantity::count, "operations completed"};
  statistic bytes{*this, "bytes", quantity::bytes, "bytes of result"};
  statistic elements{*this, "elements", quantity::count, "elements of reductions, of two operands"};
  statistic busy{*this, "busy", quantity::busy, "time in operations"};
  statistic incomplete{*this, "incomplete", quantity::count,
                       "operations on lines of which one was missing"};
  statistic errors{*this, "errors", quantity::count, "operations refused or failed"};
};

class vector_unit final : public unit {
 public:
  using parameters = vector_parameters;
  using counters = vector_counters;
  static std::vector<port_description> port_descriptions();

  vector_unit(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }
  std::string waiting_for() const override;
  std::uint32_t block_bytes() const { return block_bytes_; }  // whole elements of any type

 private:
  using error = vector_regs::status_error;

  // A part of the vector on its way through the pipeline.
  struct block {
    std::uint32_t operation = 0;  // a failed one leaves blocks behind
    std::uint64_t offset = 0;
    std::uint32_t bytes = 0;
    unsigned accesses = 0;  // under way, and one while they are being started
    fs_t ready = 0;         // the latest of them ends
    fs_t issue = 0;         // it waited so long for shared FPUs
    bool is_written = false;
    bool is_incomplete = false;  // a line was missing: nothing is written
    payload_slice result, operand, scales;
    cause why;
    void clear() { *this = block{}; }
  };
  struct block_of {
    block* at = nullptr;
    payload_slice* into = nullptr;  // of a read with data, one of the block's
  };
  using requester = memory_requester<block_of>;

  struct written_block {
    std::uint32_t operation = 0;
    std::uint32_t bytes = 0;
    cause why;
  };

  // What is computed; quantizations work on one array.
  enum class work { reduce, quantize, dequantize, copy };
  // Part of an array in memory.
  struct region {
    std::uint64_t address;
    std::uint32_t bytes;
  };

  void start();
  bool set_operation();
  void read_blocks();
  void read_block();
  void read_operands(block& next);
  void read_quantized(block& next);
  void compute(block& next);
  void reduce_block(block& done);
  void convert(block& next);
  bool has_room_for_lines(std::uint64_t bytes) const;
  void read_lines(block& next);
  void take_lines(block& next);
  void write_result(block& done);
  void end_write(block& done);
  region elements_at(std::uint64_t base, const block& part) const;
  region quantized_at(std::uint64_t base, const block& part) const;
  region scales_at(const block& part) const;
  void write_blocks();
  void retire_blocks();
  void finish();
  void own_operands();
  void fail(error reason, const std::string& what);
  void begin(block& user);
  void read(block& user, std::uint64_t address, payload_slice& into, std::uint32_t bytes);
  void write(block& user, std::uint64_t address, const payload_slice& data, std::uint32_t bytes);
  requester::access& aim(block& user, tlm::tlm_command command, std::uint64_t address,
                         const payload_slice& data, std::uint32_t bytes);
  void access_ended(requester::access& over, fs_t delay);
  void end_access(block& user, fs_t when);

  const bandwidth rate_;
  const fs_t latency_;
  const std::uint32_t block_bytes_, most_in_flight_;
  const bool carries_data_;

  vector_counters counters_;
  vector_registers regs_;
  operation_status<vector_registers> status_;
  register_socket registers_socket_;
  requester memory_socket_;
  memory_initiator_port memory_port_;
  issue_initiator_port fpus_port_;
  engine_buffers buffers_;
  timed_call next_read_;
  object_pool<block> blocks_;
  timed_queue<block*> computed_;        // due when they may be written
  timed_queue<written_block> written_;  // bytes, due when they are in memory

  work work_ = work::reduce;
  dtype type_ = dtype::fp16;
  reduce_op op_ = reduce_op::sum;
  quantization quant_;
  bool is_in_lines_ = false;   // the source
  std::uint32_t missing_ = 0;  // of its lines, the first, counted from 1
  std::uint64_t bytes_ = 0;    // of the operation, as elements of its type
  std::uint64_t read_ = 0;     // of them
  std::uint64_t retired_ = 0;  // of them
  std::uint32_t in_flight_ = 0;
  std::uint32_t operation_ = 0;  // number of the present one
  fs_t started_ = 0, next_slot_ = 0;
  cause why_;  // the last block could enter
  bool is_ok_ = true;
  bool is_issuing_ = false;  // accesses that end now have ended at once
  std::string refused_;      // the first access that was, once it is not ok
  void* const no_data_;      // what payloads point to that carry time alone
};

}  // namespace heddle
