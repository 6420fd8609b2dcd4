// DMA engine of a tile (collective NoC 2.2, 3.2): reads bursts, hands their beats on as they come
// and writes them, as a copy, a multicast or a member's part of a reduction. Transfers are queued
// by registers. In order, each is handed over, when its last beat has left the engine, and then
// completed, when every write is answered; a register counts either.
//
// Addresses inside the local window go to `memory`, all others to `fabric`; the writes of
// collectives always go to `fabric`. A read is asked for only when the buffer has room for all its
// beats, so what arrives never waits on the links.
//
// Limitations: beats are not realigned: source, destination and length are multiples of 8 bytes;
// the reads of a transfer begin when the last beat of the one before has arrived; reads of any
// memory pass as many registers, while those of another tile pass that tile's crossbar, too.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "models/mesh/beat_stream.hpp"
#include "models/mesh/dma/mesh_dma_regs.hpp"
#include "platform/buffers/engine_buffers.hpp"
#include "platform/explain/running_cause.hpp"
#include "platform/services/open_transfers.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/flit/flit_payloads.hpp"
#include "transactors/memory/memory_port.hpp"
#include "transactors/memory/memory_requester.hpp"
#include "transactors/memory/register_socket.hpp"

namespace heddle {

struct mesh_dma_parameters : parameter_set {
  parameter<duration> cycle{
      *this, "cycle", 1_ns, within(1_fs, 1_ms), "clock period", "collective NoC 4: 1 GHz"};
  parameter<byte_size> burst{*this,
                             "burst",
                             4_KiB,
                             within(64_B, 64_KiB),
                             "largest access on either side, a power of two",
                             "AXI: 4 KiB"};
  parameter<std::uint64_t> buffer{*this,
                                  "buffer",
                                  128,
                                  within(1, 4096),
                                  "beats between read and write",
                                  "two bursts of 64 beats: one arrives while the other leaves"};
  parameter<std::uint64_t> queue{*this,
                                 "queue",
                                 4,
                                 within(1, 64),
                                 "transfers queued or under way",
                                 "a tile's firmware seldom has more than two"};
  parameter<std::uint64_t> writes{*this,
                                  "writes",
                                  2,
                                  within(1, 64),
                                  "bursts written and not answered",
                                  "one streams while the answer to the other comes back"};
  parameter<std::uint64_t> launch{
      *this,
      "launch",
      3,
      within(1, 64),
      "cycles from the write to `start` to the first read",
      "registers from core to bus: pulp-platform/picobello cfg/snitch_cluster.json, "
      "register_offload_req 1; pulp-platform/iDMA, queue of idma_inst64_top 1, idma_legalizer 1"};
  parameter<std::uint64_t> read{
      *this,
      "read",
      6,
      within(0, 64),
      "cycles of a read, beyond those of network and memory, until its beat is in the buffer",
      "pulp-platform/picobello cfg/snitch_cluster.json: wide crossbar CUT_ALL_PORTS, 2 there and "
      "2 back; axi_to_mem in front of the memory 2"};
  parameter<std::uint64_t> local_write{
      *this,
      "local_write",
      9,
      within(0, 64),
      "cycles from a write to the tile's own memory to its answer, "
      "beyond the memory's",
      "counted in pulp-platform/snitch_cluster: crossbar cut at both ports 2 + 2, "
      "axi_to_mem_interleaved 2, memory 1; iDMA: idma_dataflow_element 1, response 1"};
  parameter<std::uint64_t> status{
      *this,
      "status",
      6,
      within(0, 64),
      "cycles until `handed_over` or `completed` shows what has happened",
      "pulp-platform/iDMA: busy falls 1, spill register of idma_inst64_top 1; picobello "
      "cfg/snitch_cluster.json: register_offload_rsp 1; the branch behind dmstati 1; that loop "
      "takes 5 cycles, the firmware's 2, so it looks 2 later on average"};
  parameter<address> local_base{*this, "local_base", address{0}, "first address behind `memory`",
                                "a netlist says"};
  parameter<byte_size> local_size{*this, "local_size", 128_KiB, "bytes behind `memory`",
                                  "collective NoC 2.2: 128 KiB of L1"};
};

struct mesh_dma_counters : statistic_set {
  statistic transfers{*this, "transfers", quantity::count, "transfers completed"};
  statistic bytes_read{*this, "bytes_read", quantity::bytes, "bytes read by all transfers"};
  statistic bytes_written{*this, "bytes_written", quantity::bytes,
                          "bytes written, those of a multicast once"};
  statistic collectives{*this, "collectives", quantity::count, "transfers that were collective"};
  statistic busy{*this, "busy", quantity::time, "time with a transfer under way"};
  statistic errors{*this, "errors", quantity::count, "transfers refused or failed"};
};

class mesh_dma final : public unit, private beat_stream {
 public:
  using parameters = mesh_dma_parameters;
  using counters = mesh_dma_counters;
  static std::vector<port_description> port_descriptions();

  mesh_dma(const unit_context& context, const parameters& p);

  void evaluate(cycle_t now);  // one clock cycle
  const statistic_set* statistics() const override { return &counters_; }
  const mesh_dma_counters& count() const { return counters_; }
  std::string waiting_for() const override;

 private:
  void on_connected() override;

  using state = mesh_dma_regs::status_state;
  using error = mesh_dma_regs::status_error;

  struct transfer {
    std::uint32_t number = 0;
    std::uint64_t source = 0, destination = 0, mask = 0;
    std::uint32_t bytes = 0;
    flit_op op = flit_op::unicast;
    cycle_t not_before = 0;
    std::uint32_t asked = 0;    // bytes of reads begun
    std::uint32_t arrived = 0;  // bytes that came into the buffer
    std::uint32_t begun = 0;    // bytes of writes begun
    std::uint32_t taken = 0;    // bytes that left the buffer
    std::uint32_t written = 0;  // bytes whose write is answered
    cause why;                  // its first or its latest beats came
    cause done;                 // its latest write was answered
  };
  struct buffered_beat {
    payload_handle beat = 0;
    cycle_t available = 0;
  };
  // What a register tells when its time has come.
  enum class news { handed_over, completed };
  struct late_news {
    cycle_t visible;
    news what;
    cause why;
  };
  struct burst {
    bool is_read = false;
    std::uint32_t bytes = 0;
    std::uint32_t number = 0;  // of the transfer
    beat_extension beats;
  };
  // A beat that is read from the tile's own memory, or written there.
  struct local_beat {
    transfer* work = nullptr;
    payload_handle beat = 0;
  };
  // A write to the tile's own memory that the memory has answered: the engine sees it later.
  struct local_write {
    cycle_t visible;
    std::uint32_t number, bytes;  // of the transfer; of this write
  };
  using far_requester = memory_requester<burst>;
  using local_requester = memory_requester<local_beat>;

  void queue_transfer();
  static std::string mistake_in(const transfer& asked);  // empty: none
  void fail(error reason, const std::string& what);
  bool is_local(std::uint64_t address) const { return address - local_base_ < local_size_; }
  // Bytes of the burst or beat that begins after the first `done` bytes of the transfer.
  std::uint32_t burst_at(const transfer& work, std::uint32_t done) const;
  std::uint32_t beat_at(const transfer& work, std::uint32_t done) const;
  void publish_due_news(cycle_t now);
  void finish_due_local_writes(cycle_t now);
  void advance_reads(cycle_t now);
  void advance_writes(cycle_t now);
  void read(transfer& work);
  cause why_begun(const transfer& work) const;
  void read_local(transfer& work);
  void access_memory(tlm::tlm_command command, transfer& work, std::uint64_t address,
                     payload_handle beat, std::uint32_t bytes);
  void end_local(local_requester::access& over, fs_t delay);
  void end_local_read(const local_requester::access& over, cycle_t done, cycle_t now);
  void end_local_write(const local_requester::access& over, cycle_t done, cycle_t now);
  void write(transfer& work);
  void write_local(transfer& work, cycle_t now);
  void begin_far(tlm::tlm_command command, const transfer& work, std::uint64_t address,
                 std::uint32_t bytes);
  void end_far(far_requester::access& over, fs_t delay);
  void refuse(const far_requester::access& refused);
  void finish_far(const burst& done);
  void finish_write(std::uint32_t number, std::uint32_t bytes, cycle_t now, const cause& why);
  void take(transfer& work, std::uint32_t bytes);
  void show(news what, cause why);
  void show_state(state now);

  // Buffers (mesh_dma_buffers.cpp)
  void own(const transfer& started);
  void disown(buffer_use use, const transfer& of);
  void disown_all();
  void buffer(const buffered_beat& arrived);

  cycle_t next_beat(const clock_member& asking) override;
  payload_handle take_beat(cycle_t now) override;
  void put_beat(payload_handle beat, cycle_t available) override;

  const std::uint64_t local_base_, local_size_;
  const std::uint32_t burst_bytes_;
  const std::size_t buffer_beats_, queue_, most_writes_;
  const cycle_t launch_, read_, local_write_, status_;
  const bool carries_data_;
  clock_member clock_;
  flit_payloads& payloads_;
  open_transfers& open_;  // of all engines

  mesh_dma_counters counters_;
  mesh_dma_registers regs_;
  register_socket registers_socket_;
  local_requester memory_socket_;
  far_requester fabric_socket_;
  memory_initiator_port memory_port_, fabric_port_;

  std::deque<transfer> work_;        // oldest first
  std::deque<buffered_beat> beats_;  // oldest first
  std::size_t reserved_ = 0;         // beats asked for and not taken yet
  const clock_member* awaits_beat_ = nullptr;
  std::deque<local_write> local_writes_;
  std::deque<late_news> news_;
  std::size_t far_writes_ = 0;  // bursts without response
  cause answered_;              // the latest of them
  std::uint32_t queued_ = 0;    // transfers, free-running
  fs_t state_since_ = 0;        // since when `status` is as it is, or is counted as busy
  bool is_stopped_ = false;
  bool is_begun_ = false;  // a burst that ends now has ended at once
  void* const no_data_;    // what payloads of streams point to
  engine_buffers buffers_;
  trace_signal<state> state_trace_;
};

}  // namespace heddle
