// In-network reduction by push (in-network collectives 2.2): a device inside a switch with windows
// in the fabric's address space. Every child of a group, a rank or the aggregator of a switch
// below, writes its vector into the group's window once; when a packet of every child is there, the
// aggregator reduces them and sends the result to the parent, or at the root of the tree to all
// children (MULTICAST), to one of them (ROOT) or to each its part (SCATTER). What comes down from
// the parent is spread the same way. Mode COPY reduces nothing: what a child or the parent pushes
// goes to all others of the tree, a multicast group over tiers (1.2). Mode OVERLAY does so in the
// style of PCI Express: no stream and no flags, any requester at the switch may write, and each
// member has an overlay, an offset of its own. Mode EXCHANGE is the scatter-gather engine of a
// hardware all-to-all (1.3): in front of its buffer a member pushes a table that says which bytes
// go to whom (exchange_table.hpp), and each chunk goes its way.
//
// Members see results at `result_offset` of their memory, and behind them a flag that counts
// finished segments. A member may be `window` segments ahead of its flag: so many bytes of operand
// buffer are reserved for each child, so no packet waits in a receive buffer for another child, and
// groups whose children share links in different orders cannot hold each other up. Results on their
// way down have as much room again. Copies (mode COPY) hold the receive buffer of the packet until
// the last one has left, and so do chunks.
//
// Several managers may set groups up at once: each stages its commands in a bank of registers of
// its own, and a group belongs to the manager that has reserved it.
//
// Time: a packet is reduced when its last byte has come through the crossbar from every child,
// `pipeline` cycles later the result starts to leave; what comes down is cut through.
//
// Limitations: children push each stream in order, so packets of one flow must keep their order
// (spread by destination, owner or flow); partial sums of fp16 and bf16 are rounded once a switch;
// buffers hold what Little's law asks for a stated round trip, sources state none; the word behind
// the stream of a window (errors, progress) is taken from neighbors of the tree alone; a result
// waits for its port beside the operand buffer; chunks are exchanged among the members of one
// switch.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "models/inc/aggregator/aggregation_group.hpp"
#include "models/inc/aggregator/aggregator_parameters.hpp"
#include "models/inc/aggregator/exchange_table.hpp"
#include "platform/contracts/register_audit.hpp"
#include "platform/time/timed_queue.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/aggregation/reduction_tree.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/memory/interrupt_events.hpp"
#include "transactors/memory/register_socket.hpp"
#include "transactors/packet/packet_format.hpp"
#include "transactors/stages/stage_port.hpp"

namespace heddle {

class aggregator final : public unit,
                         private stage,
                         private reduction_group_source,
                         private aggregated_cells::watcher {
 public:
  using parameters = aggregator_parameters;
  using counters = aggregator_counters;
  static constexpr std::uint64_t alignment = 128;  // of streams and segments (4)
  static std::vector<port_description> port_descriptions();

  aggregator(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }
  std::string waiting_for() const override;
  const unit& home() const { return switch_port_.host().stage_unit(); }  // the switch
  std::uint64_t buffer_bytes() const { return buffer_; }                 // of each child

 private:
  using state = aggregator_regs::group_status_state;
  using error = aggregator_regs::group_status_error;
  using mode_kind = aggregation_group::mode_kind;
  // The high word of a flag, and of a word between switches, holds the error in its lowest bits and
  // above them the rank that the error is about.
  static constexpr std::uint32_t error_mask = 0xf, rank_shift = 8;
  // The owner of a write request is the group of that number, or behind all groups the manager that
  // wrote word_send.
  static constexpr std::uint32_t first_manager = aggregator_regs::group_count;
  static constexpr std::uint32_t owners = first_manager + aggregator_regs::manager_count;

  // A packet of a multicast whose copies have not all left.
  struct copied_packet {
    packet* request = nullptr;
    int port = 0;
    std::uint32_t unsent = 0;
    fs_t copies_out = 0;  // when the last byte of those that have left is out
  };
  // Bytes of a stream on their way out of the crossbar or of the reduction unit.
  struct outgoing {
    enum class kind { up, down, copy, chunk, word, answer } what = kind::answer;
    aggregation_group* group = nullptr;
    std::uint32_t generation = 0;
    std::uint64_t offset = 0;
    std::uint32_t bytes = 0;
    payload_slice payload;
    fs_t tail = 0;
    cause why;
    packet* held = nullptr;            // the answer, or the packet to be copied
    int port = 0;                      // through which that came
    std::uint32_t from = 0;            // the child that pushed it
    std::uint32_t chunk = 0;           // of those of that child
    copied_packet* part_of = nullptr;  // a chunk: the packet that it came in
  };
  // What a packet that is written into a window brings.
  enum class write_kind {
    copy,     // data that go to all others in the tree
    chunk,    // data of an exchange
    table,    // of the chunks of an exchange
    word,     // from a neighbor of the tree
    result,   // from the group above
    operand,  // of a reduction
  };
  // Why a packet is no part of the stream of its group.
  struct mistake {
    std::string what;            // empty: it is part of it
    error reason = error::NONE;  // of the group, which stops; NONE: the group goes on
  };
  struct parcel {  // what write() needs
    std::uint64_t address;
    endpoint_id endpoint;
    int port;
    std::uint32_t bytes;
    payload_slice payload;
    fs_t tail;
  };

  void on_connected() override;
  stage_sheet sheet() const override;
  std::vector<endpoint_id> endpoints() const override { return {endpoint_}; }

  // Registers (aggregator.cpp)
  void describe_port(std::size_t manager, std::uint32_t port);
  void send_word(std::size_t manager);

  // Groups (aggregator_groups.cpp)
  std::uint32_t allocate();
  void add_child(std::size_t manager, std::uint32_t group);
  void set_child(std::size_t manager, std::uint32_t group);
  bool locate(std::uint64_t address, endpoint_id& endpoint, int& port) const;
  void arm(aggregation_group& group);
  void read_stream(aggregation_group& group) const;
  error obstacle_to(const aggregation_group& group) const;
  std::uint64_t segments_ahead(const aggregation_group& group) const;
  error reserve(aggregation_group& group);
  error join_parent(aggregation_group& group);
  void start(aggregation_group& group);
  std::uint64_t window_of(const aggregation_group& group) const {
    return base_ + static_cast<std::uint64_t>(group.index) * stride_;
  }
  void control(aggregation_group& group);
  void test(aggregation_group& group);
  void close_entries(const aggregation_group& group);
  void end_if_done(aggregation_group& group);
  void fail(aggregation_group& group, error reason, std::uint64_t culprits, std::uint32_t number,
            const std::string& what, int except_port = -1);
  void tell_error(aggregation_group& group, error reason, std::uint32_t number, int except_port);
  void expired(aggregated_cells::entry& late) override;
  void set_state(aggregation_group& group, state now);
  state state_of(const aggregation_group& group) const;
  std::string error_name(const aggregation_group& group) const;
  std::vector<reduction_group> reduction_groups() const override;

  // Packets (aggregator_packets.cpp)
  bool intercept(const stage_visit& visit, packet& arrived) override;
  void transmitted(int port, packet_kind kind, std::uint32_t packets) override;
  void take_response(int port, packet& response);
  void take_refusal(const packet& response);
  void take_write(const stage_visit& visit, packet& request);
  write_kind kind_of(const aggregation_group& group, std::uint64_t offset,
                     bool is_from_parent) const;
  outgoing outgoing_of(aggregation_group& group, int port, const packet& request,
                       std::uint64_t offset, std::uint32_t child) const;
  void take_packet_of(write_kind kind, outgoing next, const packet& request);
  void take_word(const outgoing& what);
  void answer(int port, packet& request, fs_t when, bool is_error);
  void check_end(aggregation_group& group, std::uint64_t end);
  std::string refuse(aggregation_group& group, const packet& request, std::uint64_t offset,
                     std::uint32_t child);
  mistake mistake_of(aggregation_group& group, const packet& request, std::uint64_t offset,
                     std::uint32_t child);
  mistake mistake_of_operand(const aggregation_group& group, const aggregation_child& from,
                             const packet& request, std::uint64_t offset) const;
  std::uint32_t child_of(const aggregation_group& group, endpoint_id source) const;
  void copy_on(const outgoing& what);
  void copy_to_child(aggregation_child& child, const outgoing& what, copied_packet& copied);
  void copy_left(copied_packet& of);
  void send_due();
  packet& make_write(int owner, const parcel& what, const cause& why);
  void write(int owner, const parcel& what, const cause& why, copied_packet* of = nullptr);
  void emit(packet& p, int port, copied_packet* of = nullptr);

  // Exchanges (aggregator_exchange.cpp)
  std::string take_table(aggregation_group& group, std::uint32_t child, const packet& request,
                         std::uint64_t offset);
  static std::string refuse_chunks(const aggregation_group& group, const aggregation_child& from,
                                   std::uint64_t first, std::uint32_t bytes);
  static std::string take_head(const aggregation_group& group, aggregation_child& from);
  std::string add_chunk(aggregation_group& group, aggregation_child& from, fs_t known);
  std::string order_chunks(aggregation_group& group, aggregation_child& from);
  void take_chunks(const outgoing& of);
  void send_chunk(const outgoing& what);
  void count_chunk(aggregation_group& group, const exchanged_chunk& chunk, const cause& why);

  // Streams (aggregator_streams.cpp)
  static fs_t arrival_of(const packet& p, std::uint64_t bytes);
  static fs_t share_of(fs_t whole, std::uint64_t bytes, std::uint64_t all);
  void contribute(aggregation_group& group, std::uint32_t child, std::uint64_t offset,
                  const packet& operand);
  void add_operand(aggregation_group& group, aggregated_cells::entry& entry, std::uint32_t child,
                   std::uint64_t offset, std::uint32_t bytes, const packet& operand,
                   std::uint32_t skipped);
  void reduce_cell(aggregation_group& group, aggregated_cells::entry& entry);
  payload_slice sum_of(const aggregation_group& group, aggregated_cells::entry& entry,
                       std::uint32_t bytes);
  void send_up(const outgoing& what);
  void send_down(const outgoing& what);
  void give_results(aggregation_group& group, const outgoing& what);
  void count_segments(aggregation_group& group, std::uint32_t segments, const cause& why);
  void write_flag(const aggregation_group& group, aggregation_child& child, std::uint32_t high,
                  const cause& why);
  void write_word(int owner, endpoint_id to, int port, std::uint64_t address, std::uint64_t value,
                  const cause& why);

  const packet_format format_;
  const std::uint32_t train_;
  const std::uint64_t base_, stride_, buffer_;
  const bool can_reduce_;
  const fs_t forwarding_, pipeline_, cycle_;
  register_audit_log& audit_;
  fabric& fabric_;
  const endpoint_id endpoint_;

  aggregator_counters counters_;
  aggregator_registers regs_;
  register_socket registers_socket_;
  interrupt_events<aggregator_registers> events_;
  stage_port switch_port_;
  aggregated_cells cells_;
  std::vector<aggregation_group> groups_;
  timed_queue<outgoing> outgoing_;
  object_pool<copied_packet> copied_;
  std::vector<std::deque<copied_packet*>> copies_out_;  // by port; nullptr: no copy
  std::vector<const std::byte*> operands_;              // of the reduction at hand
  std::uint64_t writes_made_ = 0;
  std::vector<trace_signal<state>> state_traces_;
};

}  // namespace heddle
