// The textbook input-queued wormhole router: one FIFO per input and virtual channel, separable
// iSLIP allocation, cycle by cycle. A packet object is one flit; its ends are marked by first_flit
// and last_flit. All stages move at once, each takes one cycle:
//
//   route        an input VC whose first flit is a head looks up the output
//   allocate VC  it asks for all VCs of that output; the VC may be taken while the buffer behind it
//                is full; it is free again the cycle after the tail was granted the switch
//   switch       each input offers one VC per output, round robin, if the VC has a credit
//   cross        the flit leaves when the remaining cycles of the pipeline are over; its credit
//                goes back when the switch is granted
//
// A flit that arrives at t leaves at t + pipeline - 1 cycles at the earliest. The clock runs only
// while something can move. Time on the wire is part of the latency of a link here: a channel that
// takes one cycle to send and L cycles to travel is a link with a latency of 1 + L cycles.
//
// Limitations: carries packet_kind::flit alone; every link takes a flit a cycle and has a latency
// of at least one cycle; one cycle each for routing and both allocations, the rest of the
// pipeline is the crossbar; input and output speed-up 1, no speculation, no lookahead. A link's
// credit_stalls counts the cycles in which a flit asked in vain.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/switch/switching_core.hpp"
#include "platform/time/agenda.hpp"
#include "platform/trace/trace_scope.hpp"
#include "transactors/arbitration/islip.hpp"
#include "transactors/arbitration/port_set.hpp"
#include "transactors/arbitration/vc_islip.hpp"
#include "transactors/arbitration/vc_set.hpp"
#include "transactors/packet/packet_queue.hpp"

namespace heddle {

class packet_switch;
struct switch_parameters;

class wormhole_core final : public switching_core {
 public:
  wormhole_core(packet_switch& owner, const switch_parameters& p);

  packet_granularity granularity() const override { return packet_granularity::flits; }
  void start() override;  // user_error where a link does not fit the clock
  void receive(packet_port& at, packet& arrived) override;
  void credits_returned(packet_port& at) override;
  std::uint64_t load_of(int port) const override { return outputs_[port].waiting_heads; }
  std::string waiting_for() const override;

 private:
  using vc_mask = std::uint32_t;

  struct input_vc {
    packet_queue buffer;
    std::uint16_t output = 0;
    std::uint8_t output_vc = 0;
  };
  // An input VC is in at most one of the masks routing, allocating and active.
  struct input {
    packet_queue wire;  // flits on their way, in order of arrival
    fs_t next_arrival = fs_never;
    vc_mask filled = 0;      // buffer holds flits
    vc_mask routing = 0;     // a head waits for its output
    vc_mask allocating = 0;  // a head waits for an output VC
    vc_mask active = 0;      // owns an output VC
    int next_vc = 0;         // round robin among VCs for one output
    std::uint64_t flits = 0;
    std::array<input_vc, max_vcs> vcs;
    trace_signal<std::uint64_t> depth;
  };
  struct output {
    packet_queue crossbar;  // packet::head is the instant of departure
    std::uint16_t free_vcs = 0;
    std::array<std::uint8_t, max_vcs> crossing{};  // flits in the crossbar by output VC
    std::uint32_t waiting_heads = 0;
  };
  void check_link(packet_port& link) const;
  void evaluate();  // one clock cycle
  void send_crossed(fs_t now);
  void buffer_arrivals(fs_t now);
  bool allocate_vcs();
  bool compute_routes();
  bool allocate_switch(fs_t now);
  void activate_allocated();
  void offer(int from, fs_t now);
  void grant(int from, int to, fs_t now);
  void count_head(output& out, const packet& head, fs_t now);
  bool has_credits(const input_vc& candidate, fs_t now);
  void wake(fs_t when);

  packet_switch& owner_;
  fs_t cycle_;
  fs_t crossbar_;  // switch grant to departure
  std::uint32_t flit_bytes_;
  timed_call clock_;
  fs_t next_cycle_ = 0;  // the earliest that was not evaluated yet
  std::vector<packet_port*> ports_;
  std::vector<input> inputs_;
  std::vector<output> outputs_;

  // Ports with work for a stage; heads that wait for a VC are requests of the VC allocator.
  port_set arriving_, routing_, active_, crossing_;
  std::vector<int> activated_;  // input channels that were given a VC in this cycle
  packet probe_;                // asks for credits
  vc_islip<vc_set, port_set> vc_allocator_;
  islip<port_set> switch_allocator_;
  port_set offered_;                                   // outputs, by the input in turn
  std::vector<std::vector<std::uint8_t>> offered_vc_;  // [input][output]
};

}  // namespace heddle
