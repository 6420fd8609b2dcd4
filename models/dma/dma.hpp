// Multi-channel copy engine. Each channel reads 32-byte descriptors from a ring in memory
// (sw/drivers/dma_descriptor.h) once its doorbell rings, and executes them in order: copies
// overlap, a fenced descriptor starts when all before it are visible at their destination. Channels
// share the data path burst by burst, the oldest descriptor first or round-robin.
//
// Where packets are as large as bursts, a burst leaves nothing to put into a train: then up to as
// many bursts as a train has packets (simulation_settings::train) move as one object, and no more
// than half of `read_ahead`, so that one train is read while the one before it is taken.
//
// A descriptor may also wait for a counter in local memory, reduce one local array into another, or
// bound how far copies run ahead of a counter (dma_steps.cpp): so a ring of descriptors is a
// program that receives, reduces and sends on without a core. A counter that has not come far
// enough is watched, not polled, where the memory can tell of the write that changes it.
//
// A message is a copy and, right behind it, an ordered write of the word that tells its receiver.
// With `flags: with_data` the last packet of the copy carries that word (put with signal).
//
// Addresses inside the local window go to `memory`, all others to `fabric`.
//
// A descriptor that is refused, or cannot be read, stops its channel when those before it have
// completed; those behind it do not start. Errors of accesses, and a doorbell that overruns the
// ring, stop it at once.
//
// A reset drops all descriptors of its channel. Bursts that have begun cannot be called back: they
// end at their destination, and until then the channel is in the state RESET and its buffers belong
// to the engine. A lost response leaves the channel there; waiting_for() names it.
//
// Limitations: a copy has at most one far end; source and destination bursts are not realigned. A
// reduction is one access an operand and one for the result, so that its first byte waits for its
// last; its energy is not counted. What a channel fetches from far is not in order with its writes.
// A counter in a memory that cannot tell of writes is read every 100 ns.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "models/dma/dma_channel.hpp"
#include "models/dma/dma_regs.hpp"
#include "platform/buffers/engine_buffers.hpp"
#include "platform/pool/object_pool.hpp"
#include "platform/time/timed_queue.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/memory/interrupt_events.hpp"
#include "transactors/memory/memory_port.hpp"
#include "transactors/memory/no_data.hpp"
#include "transactors/memory/register_socket.hpp"
#include "transactors/packet/step_counter.hpp"

namespace heddle {

struct dma_parameters : parameter_set {
  parameter<std::uint64_t> channels{*this,
                                    "channels",
                                    8,
                                    within(1, 16),
                                    "channels, each with ring, doorbell and status",
                                    "copy engines of current GPUs: about ten"};
  parameter<byte_size> burst{
      *this, "burst", 4_KiB, within(64_B, 4_MiB), "largest access on either side", "AXI: 4 KiB"};
  parameter<std::uint64_t> read_ahead{
      *this,
      "read_ahead",
      16,
      within(1, 4096),
      "bursts read from memory and not yet taken by the fabric",
      "Little's law: 450 GB/s x 100 ns memory latency = 11 bursts of 4 KiB"};
  parameter<std::uint64_t> prefetch{
      *this, "prefetch", 4, within(1, 4096), "descriptors read in one go", "one 128 B line"};
  choice_parameter arbitration{
      *this, "arbitration", one_of("oldest", "round_robin"),
      "whose burst is next: of the descriptor that came first, or of each channel in turn",
      "in order of arrival, as a command queue serves"};
  choice_parameter flags{
      *this, "flags", one_of("apart", "with_data"),
      "the word of an ordered write right behind a copy to the same endpoint: in "
      "a packet of its own, or in the last of the copy",
      "apart: a copy engine; with_data: the put with signal of OpenSHMEM 1.5"};
  parameter<bandwidth> reduce{*this, "reduce", 1600_GBps,
                              "bytes of an operand that a reduction takes a second",
                              "the vector unit's: a third of the memory's bandwidth"};
  parameter<duration> watch{*this, "watch", 10_ns,
                            "from a write of a counter that a channel waits for to its next look",
                            "from the memory controller to the engine, about 20 cycles at 2 GHz"};
  parameter<address> local_base{*this, "local_base", address{0}, "first address behind `memory`",
                                "set by the netlist"};
  parameter<byte_size> local_size{*this, "local_size", 64_GiB, "bytes behind `memory`",
                                  "set by the netlist"};
};

struct dma_counters : statistic_set {
  statistic descriptors{*this, "descriptors", quantity::count, "descriptors completed"};
  statistic doorbells{*this, "doorbells", quantity::count, "doorbell writes"};
  statistic bytes{*this, "bytes", quantity::bytes, "bytes copied"};
  summed_time fence_wait{*this, "fence_wait",
                         "summed time in which a fenced descriptor waited for those before it"};
  summed_time counter_wait{*this, "counter_wait",
                           "summed time in which channels waited for counters seen too low"};
  statistic reduced{*this, "reduced", quantity::bytes, "bytes of results of reductions"};
  statistic errors{*this, "errors", quantity::count, "channels stopped by an error"};
};

class dma_engine final : public unit {
 public:
  using parameters = dma_parameters;
  using counters = dma_counters;
  static std::vector<port_description> port_descriptions();

  dma_engine(const unit_context& context, const parameters& p);

  bool sends_flags_with_data() const { return sends_flags_with_data_; }

  const statistic_set* statistics() const override { return &counters_; }
  const dma_counters& count() const { return counters_; }
  std::string waiting_for() const override;

 private:
  using state = dma_regs::channel_status_state;
  using error = dma_regs::channel_status_error;

  void end_of_elaboration() override;

  // Registers
  void ring_doorbell(dma_channel& channel, std::uint32_t posted);
  void take_posted(dma_channel& channel, std::uint32_t posted);
  void reset(dma_channel& channel);
  void fail(dma_channel& channel, error reason, const std::string& what);
  void fail_behind_work(dma_channel& channel, error reason, std::string what);
  void end_one(dma_channel& channel);
  void settle(dma_channel& channel);
  void show_state(dma_channel& channel, state now);

  // Descriptors
  void fetch(dma_channel& channel);
  void end_fetch(dma_fetch& read, bool is_ok, fs_t delay);
  void take_fetched();
  void accept(dma_channel& channel, const dma_descriptor& descriptor, const cause& why);
  std::string refusal_of(const dma_descriptor& descriptor) const;
  std::string refusal_of_copy(const dma_descriptor& copy) const;
  bool may_start(dma_channel& channel);
  bool is_behind_fence(dma_channel& channel);
  void reconsider(const dma_channel& channel) {
    to_consider_ |= 1U << channel.index;
    with_steps_ |= 1U << channel.index;
  }
  dma_channel* oldest_to_start();
  void retire(dma_channel& channel);

  // Buffers that belong to the engine (dma_buffers.cpp): descriptors [first, end) are announced
  void own(const dma_channel& channel, std::uint32_t first, std::uint32_t end);
  void disown(const dma_channel& channel, std::uint32_t completed);
  void disown_all(const dma_channel& channel);

  // Descriptors that hold their channel back (dma_steps.cpp)
  friend struct dma_channel;
  std::string refusal_of_step(const dma_descriptor& descriptor) const;
  std::string refusal_of_reduction(const dma_descriptor& reduction) const;
  bool pass_steps(dma_channel& channel);
  void pass_all_steps();
  void complete_step(dma_channel& channel);
  void advance(dma_channel& channel);
  bool has_reached(dma_channel& channel, std::uint64_t address, std::uint32_t bytes,
                   std::uint64_t wanted);
  bool is_in_window(dma_channel& channel);
  std::uint32_t next_burst_bytes(const dma_channel& channel, const dma_work& work) const;
  std::uint32_t bursts_in(std::uint32_t bytes) const {
    return (bytes + burst_bytes_ - 1) / burst_bytes_;
  }
  void read_counter(dma_channel& channel);
  void take_counters();
  void watch_counter(dma_channel& channel);
  void begin_reduction(dma_channel& channel);
  void end_reductions();
  void end_counter_read(const dma_step& of, bool is_ok, fs_t delay);
  void access(dma_reduction& of, tlm::tlm_command command, std::uint64_t address,
              const payload_slice& data, std::uint32_t bytes, fs_t after);
  void end_reduction_access(dma_reduction& of, bool is_write, bool is_ok, fs_t delay);

  // Data path
  void pump();
  bool start_next_burst();
  void start_burst(dma_channel& channel);
  dma_burst& make_burst(dma_channel& channel, const dma_work& work);
  bool may_carry_word(const dma_channel& channel) const;
  void carry_word(dma_channel& channel, dma_burst& burst);
  void stage(dma_burst& burst, fs_t due);
  void launch();
  void end_request(dma_requester::access& taken);
  void take_response(dma_requester::access& over, fs_t delay);
  void end_local(dma_requester::access& over, fs_t delay);
  void end_burst_access(const dma_requester::access& over, dma_burst& burst, fs_t when);
  void finish_local();
  void finish(dma_burst& burst, const char* failure = nullptr);
  bool is_local(std::uint64_t address) const { return address - local_base_ < local_size_; }
  bool is_local(std::uint64_t address, std::uint64_t bytes) const {
    return is_local(address) && bytes <= local_size_ - (address - local_base_);
  }
  dma_requester::access& aim(dma_requester& through, dma_burst& burst, tlm::tlm_command command,
                             std::uint64_t address);

  const std::uint32_t burst_bytes_;
  std::uint32_t train_bytes_;  // of the bursts that move as one
  const std::uint32_t read_ahead_, prefetch_;
  const std::uint64_t local_base_, local_size_;
  const bandwidth reduce_rate_;
  const fs_t watch_;
  const bool serves_oldest_;
  const bool sends_flags_with_data_;
  const bool carries_data_;
  const fabric& fabric_;

  dma_counters counters_;
  dma_registers regs_;
  register_socket registers_socket_;
  dma_requester memory_socket_, fabric_socket_;
  memory_initiator_port memory_port_, fabric_port_;
  interrupt_events<dma_registers> events_;
  engine_buffers buffers_;

  std::vector<std::unique_ptr<dma_channel>> channels_;
  std::size_t next_channel_ = 0;
  std::uint32_t with_work_ = 0;    // channels with descriptors that are not completely started
  std::uint32_t startable_ = 0;    // those among them that wait for no fence
  std::uint32_t to_consider_ = 0;  // something has changed since this was looked at
  std::uint32_t with_steps_ = 0;   // something has changed since their steps were looked at
  std::array<std::uint64_t, 16> next_age_{};  // by channel, of its next descriptor
  std::uint64_t accepted_ = 0;                // descriptors, of all channels
  step_counter copies_;                       // among them
  object_pool<dma_fetch, 4> fetches_;
  timed_queue<dma_fetch*> fetched_;  // descriptor reads under way
  timed_queue<dma_burst*> staged_;   // bursts, due when their data is here
  timed_queue<dma_burst*> written_;  // local writes, due when they are visible
  timed_queue<dma_step> counters_read_, reduced_;
  object_pool<dma_reduction, 4> reductions_;
  object_pool<dma_burst> bursts_;
  std::vector<dma_burst*> ready_;  // wait for the fabric, oldest first
  std::uint32_t staging_ = 0;      // single bursts between their read and their launch
  no_data& no_data_;               // what payloads point to when data is off
  bool is_pumping_ = false;
  bool is_launching_ = false;  // inside of launch(), which pumps at its end
};

}  // namespace heddle
