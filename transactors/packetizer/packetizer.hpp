// Packetizer: memory plane <-> packet plane. Accesses that reach `in` are cut into packets of at
// most one MTU, tagged, spread over the planes by address, and completed when every response is
// back, in whatever order they come. Requests that arrive on a port are performed on `out`, at the
// address that they carry.
//
// Timing: the last byte of a request is performed when it has arrived; the response leaves when
// `out` says that the access is done. Packets of one interleave block share a plane and are sent in
// address order. `send_overhead` and `receive_overhead` stand for the work of an endpoint for each
// message, at either end: latency, not occupancy, and nothing for responses. Trains of up to
// `simulation_settings::train` packets travel as one object. A train ends with its access, and
// where there are several planes with the interleave block. Its requests enter and leave the queue
// of a port one by one. Against `outstanding` a whole train counts from its start to its response,
// so a train should be short against that window. `queue` does not limit responses.
//
// Debug accesses reach the memory behind another packetizer's `out` without packets and time.
//
// Atomics of aligned words of 4 or 8 bytes carry their operand, a compare-and-swap also what it
// expects, and bring back the word; devices inside switches know the addition of 8 bytes alone.
//
// Limitations: no byte enables, no streaming; credits and acknowledgements need no bandwidth
// besides the write responses.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <memory>
#include <unordered_map>
#include <vector>

#include "platform/pool/object_pool.hpp"
#include "platform/services/latency_book.hpp"
#include "platform/time/timed_queue.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/memory/absent_target.hpp"
#include "transactors/memory/extensions.hpp"
#include "transactors/memory/memory_port.hpp"
#include "transactors/memory/memory_requester.hpp"
#include "transactors/memory/no_data.hpp"
#include "transactors/memory/response_gates.hpp"
#include "transactors/packet/arrival_queue.hpp"
#include "transactors/packet/packet_format_parameters.hpp"
#include "transactors/packet/transmit_queue.hpp"
#include "transactors/packetizer/posted_access.hpp"
#include "transactors/packetizer/tag_table.hpp"
#include "transactors/packetizer/train_departure.hpp"
#include "transactors/packetizer/word_header.hpp"

namespace heddle {

struct packetizer_parameters : packet_format_parameters {
  parameter<std::uint64_t> ports{*this,
                                 "ports",
                                 4,
                                 within(1, 64),
                                 "packet ports, one a plane",
                                 "SCIN 4.1: four switch planes"};
  parameter<address> base{*this, "base", address{0},
                          "first address that it answers for on the fabric", "set by the netlist"};
  parameter<byte_size> size{*this, "size", 0_B, "bytes that it answers for; 0 for a pure initiator",
                            "set by the netlist"};
  parameter<byte_size> interleave{*this,
                                  "interleave",
                                  4_KiB,
                                  within(64_B, 1_GiB),
                                  "bytes in a row that use the same plane",
                                  "SCIN 4.3: one 4 KiB wave"};
  parameter<std::uint64_t> outstanding{
      *this,
      "outstanding",
      4096,
      within(1, 1 << 20),
      "packets without response at a time",
      "Little's law: 360 GB/s x 1.1 us round trip / 128 B = 3100, the next power of two"};
  parameter<std::uint64_t> queue{
      *this,
      "queue",
      64,
      within(1, 1 << 20),
      "request packets waiting for one port before accesses are held back",
      "two 4 KiB bursts, so that a port never idles between them"};
  parameter<duration> send_overhead{
      *this, "send_overhead", 0_ns,
      "of each request between the access and the port's queue; requests overlap in it",
      "0: accesses cost what the units in front of it say; o_s of the LogP model"};
  parameter<duration> receive_overhead{
      *this, "receive_overhead", 0_ns,
      "of each request between its last byte and its being performed; requests overlap in it",
      "0: the memory plane takes what arrives at once; o_r of the LogP model"};
};

struct packetizer_counters : statistic_set {
  statistic requests{*this, "requests", quantity::count, "request packets sent"};
  statistic responses{*this, "responses", quantity::count, "response packets sent"};
  statistic served{*this, "served", quantity::count, "request packets performed here"};
  statistic errors{*this, "errors", quantity::count, "accesses that ended with an error"};
  statistic peak_outstanding{*this, "peak_outstanding", quantity::count,
                             "most packets without response at a time"};
  statistic tag_stalls{*this, "tag_stalls", quantity::count,
                       "times when an access waited for the outstanding limit"};
};

class packetizer;
struct address_name_extension;

// One per run: simulation::service<packetizer_directory>().
struct packetizer_directory {
  std::unordered_map<endpoint_id, packetizer*> by_endpoint;
};

class packetizer final : public unit, private packet_receiver {
 public:
  using parameters = packetizer_parameters;
  using counters = packetizer_counters;
  static std::vector<port_description> port_descriptions();

  packetizer(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }
  std::string waiting_for() const override;

  std::uint32_t mtu() const { return format_.mtu; }  // bytes of payload
  const packet_format& format() const { return format_; }
  std::uint32_t outstanding_limit() const { return outstanding_limit_; }  // packets
  fs_t overheads() const { return send_overhead_ + receive_overhead_; }

  // A debug access to an address of the packet plane, at the endpoint that answers for it; how many
  // bytes were moved.
  static unsigned debug_far(simulation& sim, tlm::tlm_generic_payload& payload);

 private:
  static constexpr std::uint32_t no_tag = UINT32_MAX;
  struct tag_of_response {
    std::uint32_t tag = no_tag;  // where it is one
  };
  // A port with the packets that wait for it, those that still arrive and those being answered.
  struct alignas(64) side {
    side(packetizer& owner, int index);
    void transmit() { owner.transmit(*this); }
    void arrive() { owner.arrive(*this); }
    void fetch() const { owner.fetch_next(*this); }
    void fetch_answer() const { answering.fetch_next(); }
    void reply() { owner.reply(*this); }
    void send_prepared() { owner.send_prepared(*this); }
    void serve_received() { owner.serve_received(*this); }
    void issue() { owner.issue_pending(); }

    // What is looked at ahead comes first.
    packetizer& owner;
    arrivals_with<tag_of_response> arriving;  // by tail
    arrival_queue answering;                  // due when the answer may start
    timed_call wake, room, arrival, answer, prepared, performable;
    packet_port port;
    transmit_queue waiting;
    arrival_queue preparing, received;  // due when the overhead of the endpoint is over
    std::uint32_t preparing_packets = 0;
    train_departure leaving;  // the last train of requests that was sent
  };

  // A train of which the queue of its port may not hold all packets yet.
  struct train_entry {
    side* through = nullptr;        // nullptr: it does
    const packet* train = nullptr;  // nullptr: it is being sent
  };

  // The part of an access that travels as one train.
  struct piece {
    std::uint64_t address = 0;
    std::uint32_t bytes = 0, packets = 0;
    side* through = nullptr;  // nullptr: there is no piece
  };

  void on_connected() override;

  // Memory plane, initiator side of the fabric (packetizer_requests.cpp)
  void b_transport(int from, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(int from, tlm::tlm_generic_payload& payload);
  tlm::tlm_sync_enum nb_transport_fw(int from, tlm::tlm_generic_payload& payload,
                                     tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void post(tlm::tlm_generic_payload& payload, posted_issuer& issuer, const cause* asking);
  tlm::tlm_response_status refusal_of_posted_atomic(const tlm::tlm_generic_payload& payload) const;
  void begin(fabric_access& access);
  void begin_delayed();
  void issue_pending();
  bool issue_piece(fabric_access& access);
  piece next_piece(const fabric_access& access);
  packet& make_request(fabric_access& access, const piece& next);
  void state_request(const fabric_access& access, bulk_extension* bulk, packet& p) const;
  void carry(const atomic_extension& atomic, std::uint32_t bytes, packet& p) const;
  void explain_piece(fabric_access& access, packet& issued);
  void take_response(packet& response);
  static void deliver(packet& response, tlm::tlm_generic_payload& to, std::uint32_t offset);
  void note_latency(const packet& arrived);
  void complete(fabric_access& access);

  // Queues of requests (packetizer_queue.cpp)
  bool is_entering();
  void note_start(const packet& sent);
  bool waits_for_queue(side& of, std::uint32_t most) const;

  // Registers of devices inside switches (packetizer_registers.cpp)
  std::vector<network_register_file> registers_behind() const;
  network_register_file registers_at(std::uint64_t address) const;
  bool name_address(address_name_extension& asked, std::uint64_t address) const;
  void name_registers(const tlm::tlm_generic_payload& payload) const;
  static void carry_origin(const tlm::tlm_generic_payload& payload, packet& request);
  static void take_origin(const packet& response, tlm::tlm_generic_payload& payload);

  // Packet plane (packetizer.cpp)
  packet_granularity granularity() const override { return packet_granularity::packets; }
  void receive(packet_port& at, packet& arrived) override;
  void credits_returned(packet_port& at) override;
  void state_wires();
  void enqueue(side& to, packet& p);
  void transmit(side& from);
  void fetch_next(const side& at) const;
  void arrive(side& at);
  void reply(side& from);
  void prepare(side& to, packet& request);
  void send_prepared(side& to);
  void serve_received(side& at);
  void serve(side& at, packet& request);
  static fs_t others_on_wire(const side& through, const packet& train);
  // A request from the network that is performed on `out`, and the side that it came by.
  struct performed_request {
    side* at = nullptr;
    packet* request = nullptr;
    fs_t begun = 0;
    word_behind word;  // that is being written
  };
  using local_requester = memory_requester<performed_request>;
  void aim(local_requester::access& access, packet& request);
  void aim_atomic(local_requester::access& access, packet& request);
  bool perform_word(local_requester::access& performed, fs_t delay);
  void answer(local_requester::access& performed, fs_t delay);
  bool reaches(endpoint_id destination) const;
  side& side_towards(endpoint_id destination, std::uint64_t address);

  const packet_format format_;
  const std::uint64_t interleave_;
  const std::uint32_t outstanding_limit_, queue_limit_;
  const fs_t send_overhead_, receive_overhead_;
  const std::uint32_t train_;
  const std::uint64_t size_;
  fabric& fabric_;
  const endpoint_id endpoint_;

  packetizer_counters counters_;
  latency_distribution& packet_latency_;  // from the queue at one end to the last byte at the other
  latency_distribution& access_latency_;  // from its beginning to the last response
  tlm_utils::multi_passthrough_target_socket<packetizer> in_;
  local_requester out_;
  memory_target_port in_port_;
  memory_initiator_port out_port_;
  std::unique_ptr<absent_target> absent_;  // behind `out` when nobody is
  std::vector<std::unique_ptr<side>> sides_;
  unit_routes* routes_ = nullptr;  // once connected

  object_pool<fabric_access> accesses_;
  object_pool<posted_access, 4> posted_;
  tag_table tags_;
  std::uint32_t outstanding_ = 0;        // packets
  cause answered_;                       // what gave back tags last, while accesses wait
  const side* started_ = nullptr;        // whose queue has room since it sent an explained packet
  access_queue pending_;                 // not all packets issued yet, oldest first
  piece piece_in_turn_;                  // of the oldest access, from its first attempt to leave
  train_entry entering_;                 // the last train of the oldest access
  timed_queue<fabric_access*> delayed_;  // accesses whose annotated time has not come
  no_data& no_data_;                     // what payloads point to that carry none

  response_gates<tlm_utils::multi_passthrough_target_socket<packetizer>> responses_{in_};

  trace_signal<std::uint64_t> outstanding_trace_;
};

}  // namespace heddle
