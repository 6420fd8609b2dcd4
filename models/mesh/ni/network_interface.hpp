// Network interface of a tile (collective NoC 3.1.1): accesses on the memory plane become AXI
// channels, these become flits on three links, and back.
//
//   in   accesses to other tiles: words (8 B or less, atomics included) on the narrow links, bursts
//        on the wide one, beat by beat where the initiator streams (beat_stream.hpp)
//   out  where what arrives is performed, at its own address or, of a multicast, at this tile's
//
// Debug accesses reach the interface of the tile that holds the address without links and time.
//
// An address mask becomes an X and a Y mask (mesh_map.hpp). A multicast write is answered by one B,
// merged on its way (CollectB); the B of a reduction goes to all members. Words take part in a
// collective when their address has `alias` added: mask and operation are those of the registers.
//
// Timing: `latency` cycles between each socket and the links, both ways. Every flit is a packet of
// its own and is put together by source and tag, so bursts of several transactions alternate on a
// link and none holds it while its data is late.
//
// Limitations: responses complete in the order in which they come; the answers that wait here are
// bounded by what the initiators may have outstanding; bursts are not realigned to beats; no byte
// enables, no streaming; reads and atomics are not collective.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "models/mesh/axi_channel.hpp"
#include "models/mesh/mesh_causes.hpp"
#include "models/mesh/ni/due_flits.hpp"
#include "models/mesh/ni/mesh_access.hpp"
#include "models/mesh/ni/mesh_map.hpp"
#include "models/mesh/ni/network_interface_regs.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/flit/flit_port.hpp"
#include "transactors/memory/memory_port.hpp"
#include "transactors/memory/register_socket.hpp"

namespace heddle {

struct network_interface_parameters : mesh_map_parameters {
  parameter<std::uint64_t> x{*this, "x", 0, within(0, 255), "column", "a netlist says"};
  parameter<std::uint64_t> y{*this, "y", 0, within(0, 255), "row", "a netlist says"};
  parameter<duration> cycle{
      *this, "cycle", 1_ns, within(1_fs, 1_ms), "clock period", "collective NoC 4: 1 GHz"};
  parameter<std::uint64_t> latency{*this,
                                   "latency",
                                   1,
                                   within(1, 32),
                                   "cycles between a socket and a link, each way",
                                   "one register, as between routers"};
  parameter<std::uint64_t> words{*this,
                                 "words",
                                 8,
                                 within(1, 256),
                                 "accesses of words without response at a time",
                                 "Snitch: a load-store queue of 8"};
  parameter<std::uint64_t> bursts{*this,
                                  "bursts",
                                  4,
                                  within(1, 256),
                                  "bursts without response at a time",
                                  "two reads and two writes: one streams while the next begins"};
  parameter<byte_size> longest{
      *this, "longest", 4_KiB, within(64_B, 64_KiB), "bytes of a burst at most", "AXI: 4 KiB"};
  parameter<bool> loopback{*this, "loopback", true,
                           "the router brings this tile's copy of its own multicasts back; else it "
                           "is made here",
                           "as the router's"};
  parameter<address> alias{*this, "alias", address{0x100000000},
                           "added to an address: a collective of words", "above all tiles"};
  parameter<double> load_energy{*this, "load_energy", 2.2, "pJ of a byte from a memory tile",
                                "collective NoC Table 1: DMA load"};
  parameter<double> store_energy{*this, "store_energy", 2.4, "pJ of a byte from a tile's L1",
                                 "collective NoC Table 1: DMA store"};
  parameter<double> write_energy{*this, "write_energy", 1.8, "pJ of a byte into a tile's L1",
                                 "collective NoC Table 1: SPM write"};
};

struct network_interface_counters : statistic_set {
  statistic words{*this, "words", quantity::count, "accesses of words begun"};
  statistic bursts{*this, "bursts", quantity::count, "bursts begun"};
  statistic collectives{*this, "collectives", quantity::count, "of both, part of a collective"};
  statistic served{*this, "served", quantity::count, "accesses of other tiles performed here"};
  statistic errors{*this, "errors", quantity::count, "accesses that ended with an error"};
  statistic beat_waits{*this, "beat_waits", quantity::count,
                       "cycles in which a burst had begun and its next beat was late"};
  statistic loaded{*this, "loaded", quantity::bytes, "bursts' bytes that came from memory tiles"};
  statistic stored{
      *this, "stored", quantity::bytes,
      "bursts' bytes that a compute tile gave the network: written to others, those of "
      "a multicast once, or read by them"};
  statistic written{*this, "written", quantity::bytes,
                    "bursts' bytes of other compute tiles that came into the L1"};
};

class network_interface;

// Of a run, for debug accesses: simulation::service<mesh_tiles>().
struct mesh_tiles {
  std::vector<network_interface*> all;
};

class network_interface final : public unit {
 public:
  using parameters = network_interface_parameters;
  using counters = network_interface_counters;
  static std::vector<port_description> port_descriptions();

  network_interface(const unit_context& context, const parameters& p);
  ~network_interface() override;

  enum class state : std::uint8_t { idle, wait_response, serve, send };

  void evaluate(cycle_t now);  // one clock cycle
  const statistic_set* statistics() const override { return &counters_; }
  const network_interface_counters& count() const { return counters_; }
  std::uint32_t longest() const { return longest_; }
  std::string waiting_for() const override;

 private:
  enum link : int { wide, req, rsp, links };
  static constexpr cycle_t never = beat_stream::never;

  void on_connected() override;
  void state_reductions();
  bool is_memory_tile() const { return !map_.holds(here_); }
  cycle_t cycle_after(fs_t time) const;  // the first cycle that starts then or later
  void send_at(cycle_t due, link on, const flit& sent);
  void transmit(link on, cycle_t now);
  void transmit_wide(cycle_t now);
  void send_due(link on, cycle_t now);
  cycle_t next_write();
  void count_late_beats(cycle_t came);

  // Memory plane: accesses that begin here (network_interface_requests.cpp)
  void b_transport(int from, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_fw(int from, tlm::tlm_generic_payload& payload,
                                     tlm::tlm_phase& phase, sc_core::sc_time& delay);
  unsigned transport_dbg(int, tlm::tlm_generic_payload& payload);
  void post(const tlm::tlm_generic_payload& payload, posted_issuer& issuer, fs_t when);
  bool prepare(mesh_access& access, tlm::tlm_generic_payload& payload);
  bool aim(mesh_access& access);
  const char* why_nowhere(const mesh_access& access) const;
  bool refuse(const mesh_access& access, const std::string& what);  // false
  bool refuse_unstated(const mesh_access& access);  // by the alias, while there is no operation
  void begin(mesh_access& access, fs_t when);
  void issue(cycle_t now);
  void launch(mesh_access& access, cycle_t due);
  flit address_flit(const mesh_access& access, axi_channel channel);
  void send_word(mesh_access& access, cycle_t due);
  void send_beat(mesh_access& access, cycle_t now);
  bool keep_copy(const flit& sent, link on, cycle_t now);
  static std::uint32_t beat_bytes(const mesh_access& access, std::uint32_t beat);
  payload_handle next_beat(mesh_access& access, cycle_t now);
  mesh_access* find(std::uint32_t transaction);
  mesh_access* asked_for(const flit& answer);
  void take_response(const flit& arrived, cycle_t now);
  void take_beat(const flit& arrived, cycle_t now);
  void finish(mesh_access& done);

  void show_state(cycle_t now);

  // Why (network_interface_causes.cpp)
  cycle_t hops_of(const mesh_access& access) const;
  fs_t way_of(const mesh_access& access) const;
  void explain_begin(mesh_access& access);
  void explain_sent(mesh_access& access);
  void explain_beat(mesh_access& access, cycle_t available);
  void explain_end(mesh_access& access);
  cause why_of(const flit& arrived) const;

  // Flit plane: accesses that others began (network_interface_target.cpp)
  struct inbound_write {
    flit address;  // of the AW
    std::uint64_t local_address = 0;
    std::uint32_t bytes = 0, done = 0;
    std::uint64_t answer = axi_okay;
  };
  struct outbound_read {
    flit beat;  // all but the payload
    std::uint64_t address = 0;
    std::uint32_t bytes = 0, done = 0;
  };
  void take_request(const flit& arrived, link on, cycle_t now);
  void serve_read(const flit& arrived, const axi_header& header, cycle_t now);
  void read_beat(cycle_t now);
  void serve_atomic(const flit& arrived, const axi_header& header, cycle_t now);
  void begin_write(const flit& arrived, const axi_header& header);
  void serve_beat(const flit& arrived, link on, cycle_t now);
  fs_t perform(tlm::tlm_command command, std::uint64_t address, void* data, std::uint32_t bytes);
  void answer_write(const inbound_write& done, fs_t when);
  std::uint64_t answer_of(const tlm::tlm_generic_payload& payload) const;

  const mesh_map map_;
  const mesh_position here_;
  const cycle_t latency_;
  const std::uint64_t alias_;
  const std::uint32_t longest_;
  const std::size_t most_words_, most_bursts_;
  const bool carries_data_, loops_back_;
  clock_member clock_;
  flit_payloads& payloads_;
  mesh_tiles& tiles_;
  mesh_causes& causes_;

  network_interface_counters counters_;
  network_interface_registers regs_;
  register_socket registers_socket_;
  tlm_utils::multi_passthrough_target_socket<network_interface> in_;
  tlm_utils::simple_initiator_socket<network_interface> out_;
  memory_target_port in_port_;
  memory_initiator_port out_port_;
  interrupt_output_port interrupt_;
  arrival_wheel arrivals_;
  std::array<flit_port, links> ports_;
  std::array<due_flits, links> due_;

  mesh_access_pool accesses_;
  posted_access_pool posted_;
  std::deque<mesh_access*> pending_words_, pending_bursts_;  // not issued yet
  std::vector<mesh_access*> words_, bursts_;                 // without response, oldest first
  std::deque<mesh_access*> writes_;                          // bursts whose beats still leave
  std::deque<std::pair<cycle_t, mesh_access*>> finished_;    // responses on their way to `in`

  std::uint64_t flits_sent_ = 0, beats_taken_ = 0;  // of writes and reads that began here

  std::vector<inbound_write> inbound_;
  std::deque<outbound_read> reads_;
  bool is_write_next_ = true;       // on the wide link, if it has both
  cycle_t late_since_ = never;      // the next beat of the oldest write
  tlm::tlm_generic_payload local_;  // reused for every access on `out`
  bulk_extension local_bulk_;
  trace_signal<state> state_trace_;
  trace_signal<std::uint64_t> bursts_trace_;  // without response
};

}  // namespace heddle
