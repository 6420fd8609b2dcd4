// NVLS-like in-network computing (SCIN 2.2): a device inside a switch that serves the loads, stores
// and atomics which accelerators send into a multicast region.
//   read    multimem.ld_reduce: reads every member, reduces at the port of the initiator in the
//           order of a tree over the members' numbers, answers the initiator
//   write   multimem.st: writes every member, answers when all have answered
//   atomic  multimem.red: adds to the word of every member, answers when all have answered
//
// The operands of a reduction wait in the reduction buffer of the initiator's port, reserved before
// the members are asked; requests beyond it wait in the port's receive buffer and hold its credits.
// A write keeps its receive buffer until its last copy has left. Engines in several planes share
// one region: each serves the blocks that the accelerators send through its plane.
//
// Limitations: one region an engine; the crossbar's `speedup` limits what reduction units take in,
// not what copies of a store take; an atomic answers with the former word of its first member; each
// packet is refused for itself, so a long store may reach the members in part; the members are
// those of the netlist, no register changes them.
#pragma once

#include <memory>
#include <vector>

#include "models/inc/nvls/multicast_access.hpp"
#include "platform/contracts/register_audit.hpp"
#include "platform/time/timed_queue.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/multicast/multicast_region.hpp"
#include "transactors/packet/packet_format_parameters.hpp"
#include "transactors/packet/packet_queue.hpp"
#include "transactors/stages/stage_line.hpp"
#include "transactors/stages/stage_port.hpp"

namespace heddle {

struct multicast_engine_parameters : packet_format_parameters {
  parameter<address> base{*this, "base", address{0}, "first address of the multicast region",
                          "set by the netlist"};
  parameter<byte_size> size{*this,
                            "size",
                            64_GiB,
                            within(4_KiB, 1024_GiB),
                            "bytes of the address space that it answers for",
                            "as the memory of an accelerator"};
  parameter<byte_size> mapped{*this, "mapped", 0_B,
                              "bytes of the region that have memory behind them; 0: all",
                              "set by the netlist"};
  parameter<std::uint64_t> members{*this,
                                   "members",
                                   8,
                                   within(1, port_set::most_ports),
                                   "accelerators",
                                   "DGX H200: one a port of the switch"};
  parameter<address> member_base{*this, "member_base", address{0}, "memory of the first member",
                                 "set by the netlist"};
  parameter<byte_size> member_stride{*this, "member_stride", 64_GiB,
                                     "from the memory of a member to that of the next",
                                     "as the memory of an accelerator"};
  parameter<std::uint64_t> absent{*this, "absent", 0,
                                  "bit mask of members below 64 that are left out of the region",
                                  "all take part"};
  parameter<duration> forwarding{*this, "forwarding", 100_ns,
                                 "through the crossbar, once each way: first byte in to first byte "
                                 "out of an idle port",
                                 "as the switch forwards: NVSwitch-class port-to-port latency"};
  parameter<duration> cycle{
      *this, "cycle", 1_ns, within(1_fs, 1_ms), "clock period of the reduction units", "1 GHz"};
  parameter<std::uint64_t> pipeline{
      *this,
      "pipeline",
      20,
      within(0, 1000),
      "cycles from the last operand to the result; a unit works at the rate of its port",
      "SCIN 4.1: compute units inside the switch"};
  parameter<std::uint64_t> speedup{
      *this,
      "speedup",
      0,
      within(0, 1024),
      "operands that a reduction unit takes in at a time, each at the rate of its port: the speed "
      "of the crossbar between ports and units in that of a port; 0: one of every member",
      "SCIN 2.1 (5): full bandwidth needs it, at its price in hardware"};
  parameter<std::uint64_t> buffer{
      *this,
      "buffer",
      1024,
      within(1, 1 << 16),
      "packets that one port reduces at a time: reduction buffer, an operand of each member a "
      "packet; a train that is longer takes all of it",
      "Little's law: 112.5 GB/s x (2 x 250 ns + 100 ns of memory) / 128 B = 527, the next power of "
      "two"};
};

struct multicast_engine_counters : statistic_set {
  statistic reductions{*this, "reductions", quantity::count, "packets reduced"};
  statistic multicasts{*this, "multicasts", quantity::count, "packets written to all members"};
  statistic atomics{*this, "atomics", quantity::count, "atomics performed at all members"};
  statistic reduced_bytes{*this, "reduced_bytes", quantity::bytes, "bytes of results"};
  summed_time reducing{*this, "reducing",
                       "time of the reduction units in use, summed over the ports"};
  statistic buffer_stalls{*this, "buffer_stalls", quantity::count,
                          "requests that waited for a reduction buffer"};
  statistic peak_buffer{*this, "peak_buffer", quantity::count,
                        "most packets in one reduction buffer"};
  statistic errors{*this, "errors", quantity::count, "requests refused or failed at a member"};
};

enum class multicast_activity { idle, multicast, reduce, full };

class multicast_engine;

// The engine's part of a port of the switch.
struct multicast_side {
  multicast_side(multicast_engine& owner, packet_port& port, const stage_timing& crossbar);

  packet_port& port;
  stage_line arriving;           // requests, on their way through the crossbar
  packet_queue waiting;          // loads without a reduction buffer, and what came behind them
  std::uint32_t multicasts = 0;  // requests with copies that have not left
  fs_t unit_free_at = 0;         // of the reduction unit
  trace_signal<std::uint64_t> buffer_trace;
  trace_signal<multicast_activity> activity_trace;
};

class multicast_engine final : public unit, private stage, private stage_line::listener {
 public:
  using parameters = multicast_engine_parameters;
  using counters = multicast_engine_counters;
  static std::vector<port_description> port_descriptions();

  multicast_engine(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }
  std::string waiting_for() const override;

 private:
  friend multicast_side;
  struct answer {
    packet* leaving = nullptr;
    multicast_side* through = nullptr;
  };

  void on_connected() override;
  stage_sheet sheet() const override;
  std::vector<endpoint_id> endpoints() const override { return {endpoint_}; }
  bool intercept(const stage_visit& visit, packet& arrived) override;
  void leave(int port, const stage_visit& visit, packet& request) override;
  packet& copy(const packet& request, const copy_order& order) override;
  void transmitted(int port, packet_kind kind, std::uint32_t packets) override;

  // Requests
  void admit(multicast_side& from, packet& request);
  bool reserve(multicast_side& from, const packet& request);
  void admit_waiting(multicast_side& from);
  void perform(multicast_side& from, packet& request);
  void refuse(multicast_side& from, packet& request);
  void record(const packet& request, const multicast_side& from, const std::string& reason);
  void copy_left(multicast_side& through, multicast_entry& access);

  // Answers (multicast_answers.cpp)
  void take_answer(packet_port& at, packet& arrived);
  void complete(multicast_entry& access);
  void reduce_operands(const multicast_entry& access, packet& result);
  void give_answer(multicast_side& through, packet& response, fs_t start, fs_t end);
  void send_answers();

  void show(const multicast_side& side) const;

  // What a reduction unit takes in for a result of so many bytes, in bytes at the rate of its port.
  std::uint64_t taken_in(std::uint64_t result) const {
    if (speedup_ == 0 || sources_ <= speedup_) return result;
    return (result * sources_ + speedup_ - 1) / speedup_;
  }

  const std::uint64_t size_;
  const fs_t forwarding_, reduction_latency_;
  const std::uint64_t speedup_;
  std::uint64_t sources_ = 0;  // members that take part
  const std::uint32_t buffer_;
  const packet_format format_;  // of an answer that refuses a request
  const std::uint32_t tag_prefix_;
  register_audit_log& audit_;
  const endpoint_id endpoint_;
  multicast_region region_;

  multicast_engine_counters counters_;
  stage_port switch_port_;
  std::vector<std::unique_ptr<multicast_side>> sides_;  // by port of the switch
  multicast_accesses accesses_;
  multicast_entry* leaving_ = nullptr;      // of the copy that was made last
  timed_queue<answer> answers_;             // due when they may start to leave
  std::vector<const std::byte*> operands_;  // of the reduction at hand
};

}  // namespace heddle
