// Dynamic multimem in a switch (DySHARP III-D2): a device that copies stores of token vectors to
// the GPUs of the experts in their list, and adds up what those GPUs answer to loads.
//
//   store   a copy for each GPU that has a target, with the list trimmed to its own targets; the
//           source gets one acknowledgment when all targets have been covered
//   fetch   the same without data; the answers are added as they come, or in the order of GPUs, and
//           the source gets one sum
//
// A GPU answers once for all targets of its copy. The partial sums of a port's fetches lie in its
// reduction buffer from the request on. A request that finds no room evicts the oldest: its partial
// sum goes to the source at once, and what comes later is passed on as it comes; the source adds.
// So nothing ever waits for the buffer. Each part that goes to the source is rounded at most once
// here, and the source adds parts in the order in which they arrive: with `order: target`, too,
// such a sum is defined within rounding, and only one that is sent whole is defined bit for bit.
// Devices in several planes share one range of addresses.
//
// A list that names an expert twice, or one that does not exist, is refused: the answer says so.
//
// Limitations: partial sums are kept in fp32 and rounded when they leave; adding takes `reduction`
// whatever the number of operands; the packets of a train are added as one.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "platform/time/timed_queue.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/aggregation/aggregation_table.hpp"
#include "transactors/multicast/multicast_region.hpp"
#include "transactors/packet/packet_format_parameters.hpp"
#include "transactors/stages/stage_line.hpp"
#include "transactors/stages/stage_port.hpp"
#include "transactors/tokens/token_packets.hpp"

namespace heddle {

struct dynamic_multimem_parameters : packet_format_parameters {
  parameter<address> base{*this, "base", address{0}, "first address of the range of tokens",
                          "set by the netlist"};
  parameter<byte_size> size{*this,
                            "size",
                            64_GiB,
                            within(4_KiB, 1024_GiB),
                            "bytes of the address space that it answers for",
                            "as the memory of a GPU"};
  parameter<std::uint64_t> members{*this,  "members",           32, within(1, port_set::most_ports),
                                   "GPUs", "DySHARP V-A: NVL32"};
  parameter<address> member_base{*this, "member_base", address{0}, "memory of the first GPU",
                                 "set by the netlist"};
  parameter<byte_size> member_stride{*this, "member_stride", 64_GiB,
                                     "from the memory of a GPU to that of the next",
                                     "as the memory of a GPU"};
  parameter<std::uint64_t> experts_per_gpu{*this,
                                           "experts_per_gpu",
                                           8,
                                           within(1, 1 << 16),
                                           "expert e belongs to GPU e / experts_per_gpu",
                                           "DySHARP Table I: 256 experts on 32 GPUs"};
  parameter<duration> latency{*this, "latency", 1_ns,
                              "of a request through the device: first byte in to first byte out",
                              "DySHARP VI-D: one cycle; 1 GHz, where the source is silent"};
  parameter<duration> reduction{*this, "reduction", 0_ns, "from the last operand to the sum",
                                "DySHARP V-A: a round trip is four links and nothing else"};
  parameter<byte_size> buffer{*this,
                              "buffer",
                              64_KiB,
                              within(0_B, 1_GiB),
                              "reduction buffer of each port, in bytes of partial sums",
                              "DySHARP V-A"};
  choice_parameter order{*this, "order", one_of("arrival", "target"),
                         "in which operands are added: as they come, or by GPU",
                         "DySHARP is silent; an adder in the switch takes what comes"};
  choice_parameter addressing{*this, "addressing", one_of("dynamic", "explicit"),
                              "how targets are named on the wire: a list of experts, or an address "
                              "each",
                              "DySHARP III-A"};

  token_format tokens() const {
    return {format(), addressing() == "dynamic" ? target_addressing::dynamic
                                                : target_addressing::explicit_targets};
  }
};

struct dynamic_multimem_counters : statistic_set {
  statistic stores{*this, "stores", quantity::count, "packets stored to lists of targets"};
  statistic fetches{*this, "fetches", quantity::count, "packets loaded from lists of targets"};
  statistic copies{*this, "copies", quantity::count, "copies of both sent to GPUs"};
  statistic hits{*this, "hits", quantity::count,
                 "fetched packets that found room in the reduction buffer"};
  statistic evictions{*this, "evictions", quantity::count,
                      "packets whose partial sums lost their place in a reduction buffer"};
  statistic partial_sums{*this, "partial_sums", quantity::count,
                         "packets sent to sources besides the last one of each fetch"};
  statistic peak_buffer{*this, "peak_buffer", quantity::bytes, "most bytes in one buffer"};
  statistic errors{*this, "errors", quantity::count, "requests refused"};
};

// When an answer may start to leave, and when its last byte is there.
struct answer_times {
  fs_t start = 0, end = 0;
};

class dynamic_multimem;

// The device's part of a port of the switch.
struct dynamic_side {
  dynamic_side(dynamic_multimem& owner, packet_port& through, const stage_timing& timing);

  packet_port& port;
  stage_line arriving;                    // requests on their way through the device
  std::deque<std::uint32_t> stores_out;   // entries with copies queued at this port, in order
  std::deque<std::uint32_t> results_out;  // bytes of the buffer that each queued answer frees
  trace_signal<std::uint64_t> buffer_trace;
};

// What the device remembers of a request until all targets are covered. What an answer asks for
// lies in one cache line, the second.
struct alignas(64) dynamic_access {
  std::vector<float> partial;  // of arrivals; empty: none has come
  packet* request = nullptr;
  dynamic_side* from = nullptr;
  cause why;                 // of the latest answer
  fs_t copies_out = 0;       // when the last byte of those that have left is out
  std::uint32_t unsent = 0;  // copies with data that have not left
  std::uint32_t targets = 0;
  // Of the answers so far: when the first packet of the latest train is here, and everything.
  fs_t first_in = 0, last_in = 0;
  std::uint32_t covered = 0;  // by operands in the partial sum
  bool is_store = false;
  bool is_error = false;
};

class dynamic_multimem final : public unit, private stage, private stage_line::listener {
 public:
  using parameters = dynamic_multimem_parameters;
  using counters = dynamic_multimem_counters;
  static std::vector<port_description> port_descriptions();

  dynamic_multimem(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }
  std::string waiting_for() const override;
  std::uint64_t base() const { return base_; }
  std::uint32_t experts_per_gpu() const { return experts_per_gpu_; }
  std::size_t gpus() const { return region_.members().size(); }
  const packet_format& format() const { return format_.packets; }

 private:
  friend dynamic_side;
  using table = aggregation_table<dynamic_access>;
  struct answer {
    packet* leaving = nullptr;
    dynamic_side* through = nullptr;
    std::uint32_t frees = 0;
  };

  void on_connected() override;
  stage_sheet sheet() const override;
  std::vector<endpoint_id> endpoints() const override { return {endpoint_}; }
  bool intercept(const stage_visit& visit, packet& arrived) override;
  void leave(int port, const stage_visit& visit, packet& request) override;
  void transmitted(int port, packet_kind kind, std::uint32_t packets) override;

  // Requests
  bool sort_targets(const target_list& list);
  void name_all_but(int source);
  table::entry& open(dynamic_side& from, const packet& request);
  void make_room(int port, std::uint64_t bytes);
  void copy_to(int member, table::entry& access, const packet& request);
  void refuse(dynamic_side& from, packet& request);
  void copy_left(dynamic_side& through);

  // Answers (dynamic_answers.cpp)
  void take_answer(packet_port& at, packet& arrived);
  void add_operand(table::entry& access, packet& arrived);
  void send_partial(table::entry& access);
  void pass_on(table::entry& access, packet& arrived);
  void complete(table::entry& access);
  void add_up(table::entry& access);
  payload_slice rounded(const table::entry& access, std::uint32_t bytes) const;
  void address_to_source(const table::entry& access, packet& leaving, std::uint32_t covered) const;
  void give_answer(dynamic_side& through, packet& leaving, const answer_times& when,
                   std::uint32_t frees);
  void send_answers();
  void fetch_answer() const;
  void show(const dynamic_side& side) const;

  const token_format format_;
  const std::uint64_t base_;
  const fs_t latency_, reduction_;
  const std::uint32_t experts_per_gpu_;
  const std::uint64_t buffer_;
  const bool keeps_order_;
  const std::uint32_t tag_prefix_;
  const endpoint_id endpoint_;
  multicast_region region_;

  dynamic_multimem_counters counters_;
  stage_port switch_port_;
  std::vector<std::unique_ptr<dynamic_side>> sides_;  // by port of the switch
  table accesses_;
  timed_queue<answer> answers_;  // due when they may start to leave
  // Targets of the request at hand, by GPU.
  std::vector<target_list::experts_type> trimmed_;
  std::vector<int> named_;  // GPUs that have some, in ascending order
};

}  // namespace heddle
