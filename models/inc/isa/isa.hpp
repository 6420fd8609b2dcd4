// In-switch accelerator (SCIN 3): reads operands from the memories of the accelerators around its
// switch, reduces them, and writes the results back, as instructions say. Members arrive by adding
// 1 to the counter of a stream; a flag in the memory of each counts the results that are there.
//
// The host stages an instruction in the registers of a stream and pushes it, ahead of time or on
// demand; a quantized one is followed by the instruction with the addresses of its scales. What is
// refused is refused at the push: error, culprit and interrupt, nothing is written, and what is
// pushed after it is dropped until the host clears the interrupt. An instruction that fails under
// way (bus error, a member that never arrives) stops its stream: its queue is dropped, every member
// gets the error in its flag, and a reset makes it usable again.
//
// Several hosts may share an accelerator, each with streams of its own: a stream is all that a host
// stages instructions in.
//
// A barrier is an instruction that moves nothing: when all members have arrived, their flags are
// written. A member is through after its own way to the switch and back.
//
// Limitations: members are the endpoints right behind the switch's ports, of which there are 64 at
// most; members see the registers one word at a time; hosts share the regions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/inc/isa/isa_stream.hpp"
#include "models/inc/isa/isa_transport.hpp"
#include "models/inc/isa/wave_engine.hpp"
#include "platform/buffers/engine_buffers.hpp"
#include "platform/explain/remedy.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/aggregation/reduction_tree.hpp"
#include "transactors/memory/interrupt_events.hpp"
#include "transactors/memory/register_socket.hpp"

namespace heddle {

class isa_unit final : public unit,
                       public has_remedy,
                       private isa_transport_client,
                       private instruction_source,
                       private reduction_group_source {
 public:
  using parameters = isa_parameters;
  using counters = isa_counters;
  static std::vector<port_description> port_descriptions();

  isa_unit(const unit_context& context, const parameters& p);

  std::size_t stream_count() const { return streams_.size(); }
  std::uint32_t queue_entries() const { return queue_entries_; }       // of each stream
  std::uint32_t table_bytes() const { return engine_.table_bytes(); }  // of each member
  // "" where waves hold the blocks of such elements and their scales.
  std::string obstacle_to(const quantization& quant) const { return engine_.obstacle_to(quant); }
  const statistic_set* statistics() const override { return &counters_; }
  std::string waiting_for() const override;
  std::string remedy(category what) const override;

 private:
  friend struct isa_stream;
  using state = isa_stream::state;

  void on_connected() override;

  // Synchronization
  void arrive(int port, int stream, packet& request);
  bool is_arrival_refused(isa_stream& stream, int member, std::uint64_t count);
  void tell(isa_stream& stream, int late);
  void set_arrived(isa_stream& stream, member_mask arrived);
  void watch(isa_stream& stream);
  fs_t watchdog_due(const isa_stream& stream) const;  // fs_never where none is set
  void expire(isa_stream& stream);
  void notify(isa_stream& stream, member_mask members, isa_error error);

  // Instructions (isa_instructions.cpp)
  void push(isa_stream& stream);
  std::unique_ptr<isa_instruction> staged(const isa_stream& stream) const;
  isa_error translate(isa_instruction& instruction, std::uint32_t bytes) const;
  isa_error refusal_of_barrier(const isa_stream& stream, const isa_instruction& pushed,
                               member_mask& culprit) const;
  isa_error refusal_of_operands(const isa_stream& stream, const isa_instruction& pushed,
                                member_mask& culprit) const;
  isa_error refusal(const isa_stream& stream, const isa_instruction& pushed,
                    member_mask& culprit) const;
  isa_error unmapped(const isa_stream& stream, const isa_instruction& pushed,
                     member_mask& culprit) const;
  isa_error pair_scales(isa_stream& stream, const isa_instruction& scales, member_mask& culprit);
  void refuse(isa_stream& stream, isa_error error, member_mask culprit, const std::string& about);
  void forget_error(isa_stream& stream);
  bool may_start(isa_stream& stream);
  isa_instruction* next_instruction() override;
  void instruction_ended(isa_instruction& ended) override;
  void retire(isa_stream& stream);
  void stop(isa_stream& stream, isa_error error, member_mask culprit);
  void reset(isa_stream& stream);
  void show_state(isa_stream& stream);

  // For whoever checks results (isa_reductions.cpp)
  void record(isa_stream& stream, const isa_instruction& pushed);
  std::vector<reduction_group> reduction_groups() const override;
  reduction_group group_of(const pushed_reduction& pushed) const;

  // Buffers (isa_buffers.cpp)
  std::uint64_t work_of(const isa_instruction& instruction) const;
  void own(const isa_instruction& started);
  void disown(const isa_instruction& ended);

  // From the ports
  void take_read_response(int member, packet& response) override {
    engine_.take_read_response(member, response);
  }
  void take_write_response(int member, packet& response) override;
  void take_request(int port, packet& request) override;
  void writes_left(int member) override;
  void perform(packet& request);
  bool is_quiet() const;  // no instruction waits or is under way

  const std::uint64_t base_;
  const std::uint32_t queue_entries_;
  isa_counters counters_;
  isa_registers regs_;
  register_socket registers_socket_;
  interrupt_events<isa_registers> events_;
  isa_transport transport_;
  stage_port inc_port_;
  wave_engine engine_;
  std::vector<std::unique_ptr<isa_stream>> streams_;
  int next_stream_ = 0;
  std::uint32_t next_flag_ = 0;
  std::uint32_t started_ = 0;  // instructions
  timed_call resume_;          // the accumulator, once a port has room
  engine_buffers buffers_;
};

}  // namespace heddle
