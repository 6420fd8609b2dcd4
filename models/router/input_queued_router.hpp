// The textbook input-queued wormhole router with virtual channels and separable iSLIP allocation
// (Dally and Towles 2004, 16), the one that cycle-level network simulators model. All stages move
// at once, each takes one cycle:
//
//   route        an input VC whose first flit is a head looks up the output
//   allocate VC  it asks for all VCs of that output; the VC may be taken while the buffer behind it
//                is full; it is free again the cycle after the tail was granted the switch
//   switch       each input offers one VC per output, round robin, if the VC has a credit
//   cross        the flit leaves when the remaining cycles of the pipeline are over; its credit
//                goes back when the switch is granted
//
// A flit that arrives in cycle c leaves in c + pipeline - 1 at the earliest. A router is evaluated
// only while something can move in it.
//
// Unit is the router that derives from this. It says where packets go:
//   int route_of(const flit& head, flit_channel& at)   output port, below 0: rejected
// and is told of an arrival that it cannot pass on: reject(const flit& head).
//
// Limitations: unicast flits alone; one cycle each for routing and both allocations; input and
// output speed-up 1, no speculation, no lookahead; 64 input VCs at most, 16 ports.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "platform/trace/trace_scope.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/arbitration/islip.hpp"
#include "transactors/arbitration/vc_islip.hpp"
#include "transactors/arbitration/word_set.hpp"
#include "transactors/flit/flit_port.hpp"

namespace heddle {

struct input_queued_counters : statistic_set {
  statistic flits{*this, "flits", quantity::count, "flits forwarded"};
  statistic packets{*this, "packets", quantity::count, "packets forwarded"};
  statistic stalled{*this, "stalled", quantity::count,
                    "packets whose head waited for a virtual channel, a credit or the switch"};
  statistic wait{*this, "wait", quantity::time, "summed time for which those heads waited"};
};

template <class Unit, int port_count>
class input_queued_router {
 public:
  static constexpr int most_channels = 64;
  static constexpr int most_vcs = most_channels / port_count;
  static constexpr int allocation_cycles = 3;  // routing, VC allocation, switch allocation

  bool evaluate(cycle_t now);  // one clock cycle; whether it has something to do in the next one
  const input_queued_counters& count() const;

 protected:
  // Input VCs, a bit each: port * vcs + vc.
  using vc_mask = std::uint64_t;

  explicit input_queued_router(int pipeline) : crossbar_(pipeline - allocation_cycles) {}
  ~input_queued_router() = default;

  // Cycles between the arrival of a head and its switch allocation. A router that sleeps is woken
  // for that, and makes up for what it slept through.
  static constexpr cycle_t to_switch = 2;

  flit_port::timing timing() const { return {static_cast<int>(crossbar_), to_switch}; }
  flit_port::halves halves_of(int port) { return {&outputs_[port], &inputs_[port]}; }
  // The port is bound. All of a router's ports are told before the first flit.
  void add_link(flit_port& port);
  void start(fs_t period);
  bool is_bound(int port) const { return bound_ >> port & 1; }
  std::string waits() const;  // for the hang report

  arrival_wheel arrivals_;

 private:
  using port_word = word_set<std::uint16_t>;
  using channel_word = word_set<std::uint64_t>;
  static constexpr vc_mask bit(int index) { return vc_mask{1} << index; }

  Unit& self() { return static_cast<Unit&>(*this); }
  void catch_up(cycle_t now);
  vc_mask accept(cycle_t arrival, cycle_t now);
  void buffer(vc_mask arrived, cycle_t now);
  void compute_routes(vc_mask heads, cycle_t now);
  bool allocate_vcs();
  void pass_switch(vc_mask ready, cycle_t now);
  bool has_credit(int channel, cycle_t now);
  vc_mask allocate_switch(vc_mask ready, cycle_t now);
  void offer(int port, vc_mask vcs, cycle_t now);
  void unblock(cycle_t now);
  void grant(int channel, vc_mask bit_of_it, cycle_t now);
  void count_head(const flit_channel& source, cycle_t now);
  void show_depth(vc_mask changed, std::uint64_t step, cycle_t now);

  // An input VC is in at most one of the masks routing_, allocating_, activated_ and active_.
  vc_mask filled_ = 0;      // the buffer holds flits
  vc_mask routing_ = 0;     // heads that had to wait for the packet before
  vc_mask allocating_ = 0;  // heads that have no output VC yet
  vc_mask activated_ = 0;   // they have one from the end of the next cycle on
  vc_mask active_ = 0;      // they compete for the switch
  vc_mask blocked_ = 0;     // active, and found no credit
  vc_mask tails_ = 0;       // granted the switch in this cycle
  cycle_t last_ = 0;        // evaluated
  vc_mask first_port_ = 0;  // VCs of port 0
  cycle_t crossbar_;        // switch grant to departure
  int vcs_ = 0;
  std::uint32_t bound_ = 0;
  bool is_traced_ = false;
  std::uint64_t packets_ = 0, stalled_ = 0, waited_ = 0;
  std::array<std::uint16_t, port_count> free_vcs_{};
  std::array<std::uint8_t, port_count> next_vc_{};  // round robin among VCs for one output
  islip<port_word, port_count> switch_allocator_{port_count};

  alignas(64) std::array<flit_channel, most_channels> channels_{};
  std::array<flit_receiver, port_count> inputs_{};
  std::array<flit_transmitter, port_count> outputs_{};
  vc_islip<channel_word, port_word, most_channels, port_count> vc_allocator_{
      port_count, most_channels, port_count};
  std::array<std::array<std::uint8_t, port_count>, port_count> offered_{};

  // Not for every flit.
  std::array<flit_port*, port_count> ports_{};
  std::array<trace_signal<std::uint64_t>, port_count> depth_{};
  std::array<std::uint64_t, port_count> shown_depth_{};
  fs_t period_ = 0;
  mutable input_queued_counters counters_;
};

template <class Unit, int port_count>
void input_queued_router<Unit, port_count>::add_link(flit_port& port) {
  const int index = port.index();
  if (port.vcs() > most_vcs)
    throw user_error(fmt::format("{}: {} virtual channels, {} has {} at most", port.path(),
                                 port.vcs(), Unit::type_name, most_vcs));
  ports_[index] = &port;
  vcs_ = std::max(vcs_, port.vcs());
  free_vcs_[index] = static_cast<std::uint16_t>((1U << port.vcs()) - 1);
  depth_[index] = trace_scope(self().sim().trace(), port.path()).vector("buffered", 16);
  depth_[index].set(0, 0);
  is_traced_ |= depth_[index].enabled();
  bound_ |= 1U << index;
}

template <class Unit, int port_count>
void input_queued_router<Unit, port_count>::start(fs_t period) {
  period_ = period;
  first_port_ = bit(vcs_) - 1;
  for (flit_port* each : ports_) {
    if (!each) continue;
    const int first = each->index() * vcs_;
    each->listen_from(first, &channels_[first]);
  }
}

// Each stage sees the state that the others left in the cycle before. VCs are allocated at the end
// of the cycle before the one whose stage it is: nothing else changes meanwhile.
template <class Unit, int port_count>
bool input_queued_router<Unit, port_count>::evaluate(cycle_t now) {
  if (last_ + 1 != now) catch_up(now);
  last_ = now;
  const vc_mask arrived = arrivals_.take(now);
  const vc_mask heads = routing_ | (arrived & ~(filled_ | allocating_ | activated_ | active_));
  buffer(arrived, now);
  if (blocked_) unblock(now);
  tails_ = 0;
  if (const vc_mask ready = active_ & filled_ & ~blocked_) pass_switch(ready, now);
  active_ = (active_ & ~tails_) | activated_;
  routing_ = tails_ & filled_;
  activated_ = 0;
  if (heads) compute_routes(heads, now);
  const bool is_moving = vc_allocator_.has_requests() && allocate_vcs();
  // Whatever else waits is woken by an arrival or a credit.
  if (routing_ | (active_ & filled_ & ~blocked_) | (is_moving ? allocating_ : 0)) return true;
  if (activated_) arrivals_.wake(now + to_switch);
  return false;
}

// Nothing asked for the switch since the last cycle; heads may have come in the two before `now`.
template <class Unit, int port_count>
void input_queued_router<Unit, port_count>::catch_up(cycle_t now) {
  active_ |= activated_;
  activated_ = 0;
  if (now < to_switch) return;
  if (const vc_mask heads = accept(now - 2, now)) {
    compute_routes(heads, now - 2);
    allocate_vcs();
    active_ |= activated_;
    activated_ = 0;
  }
  if (const vc_mask heads = accept(now - 1, now)) compute_routes(heads, now - 1);
  if (vc_allocator_.has_requests()) allocate_vcs();
}

// Takes what arrived in a cycle that was slept through. Returns the heads among it that wait for no
// other packet.
template <class Unit, int port_count>
inline typename input_queued_router<Unit, port_count>::vc_mask
input_queued_router<Unit, port_count>::accept(cycle_t arrival, cycle_t now) {
  const vc_mask arrived = arrivals_.take(arrival);
  const vc_mask heads = arrived & ~(filled_ | allocating_ | activated_ | active_);
  buffer(arrived, now);
  return heads;
}

// What comes into an empty buffer, as most flits do, is not counted.
template <class Unit, int port_count>
inline void input_queued_router<Unit, port_count>::buffer(vc_mask arrived, cycle_t now) {
  for (vc_mask left = arrived & filled_; left; left &= left - 1)
    ++channels_[__builtin_ctzll(left)].more;
  filled_ |= arrived;
  if (is_traced_) show_depth(arrived, 1, now);
}

// Most heads are the only ones that ask for their output, and have their VC for the next cycle.
template <class Unit, int port_count>
inline void input_queued_router<Unit, port_count>::compute_routes(vc_mask heads, cycle_t now) {
  std::uint32_t wanted = vc_allocator_.wanted().word(), twice = wanted;
  for (vc_mask left = heads; left; left &= left - 1) {
    flit_channel& at = channels_[__builtin_ctzll(left)];
    const flit& head = inputs_[at.port].cells[at.first];
    const int to = self().route_of(head, at);
    if (to < 0) return self().reject(head);
    at.output = static_cast<std::uint8_t>(to);
    at.routed = static_cast<std::uint32_t>(now);
    at.claims = static_cast<std::uint16_t>(1U << (at.port & 7) | 0x100U << (to & 7));
    twice |= wanted & 1U << to;
    wanted |= 1U << to;
  }
  for (; heads; heads &= heads - 1) {
    const int channel = __builtin_ctzll(heads);
    flit_channel& at = channels_[channel];
    std::uint16_t& free_vcs = free_vcs_[at.output];
    if ((twice >> at.output & 1) || free_vcs == 0) {
      allocating_ |= heads & -heads;
      vc_allocator_.request(channel, at.output);
    } else {
      at.output_vc =
          static_cast<std::uint8_t>(vc_allocator_.match_alone(channel, at.output, free_vcs));
      activated_ |= heads & -heads;
    }
  }
}

template <class Unit, int port_count>
inline bool input_queued_router<Unit, port_count>::allocate_vcs() {
  return vc_allocator_.match([this](int output) -> std::uint16_t& { return free_vcs_[output]; },
                             [this](int channel, int, int vc) {
                               channels_[channel].output_vc = static_cast<std::uint8_t>(vc);
                               activated_ |= bit(channel);
                               allocating_ &= ~bit(channel);
                             });
}

// Mostly packets come from different inputs and go to different outputs: then nobody competes. What
// looks like a conflict and is none, of ports that are 8 apart, is arbitrated all the same.
template <class Unit, int port_count>
inline void input_queued_router<Unit, port_count>::pass_switch(vc_mask ready, cycle_t now) {
  std::uint32_t claimed = 0, twice = 0;
  for (vc_mask left = ready; left; left &= left - 1) {
    const std::uint32_t claims = channels_[__builtin_ctzll(left)].claims;
    twice |= claimed & claims;
    claimed |= claims;
  }
  if (twice) {
    for (vc_mask left = allocate_switch(ready, now); left; left &= left - 1)
      grant(__builtin_ctzll(left), left & -left, now);
    return;
  }
  for (vc_mask left = ready; left; left &= left - 1) {
    const int channel = __builtin_ctzll(left);
    if (!has_credit(channel, now)) continue;
    switch_allocator_.match_alone(channels_[channel].port, channels_[channel].output);
    grant(channel, left & -left, now);
  }
}

template <class Unit, int port_count>
inline bool input_queued_router<Unit, port_count>::has_credit(int channel, cycle_t now) {
  const flit_channel& source = channels_[channel];
  flit_transmitter& to = outputs_[source.output];
  if (!to.has_credit(source.output_vc, now)) {
    ports_[source.output]->has_credit(source.output_vc, now);  // which is told when one comes
    blocked_ |= bit(channel);
    return false;
  }
  if (to.blocked_vcs)
    to.blocked_vcs = static_cast<std::uint16_t>(to.blocked_vcs & ~(1U << source.output_vc));
  return true;
}

template <class Unit, int port_count>
void input_queued_router<Unit, port_count>::unblock(cycle_t now) {
  for (vc_mask left = blocked_; left; left &= left - 1) {
    const int channel = __builtin_ctzll(left);
    const flit_channel& source = channels_[channel];
    if (outputs_[source.output].has_credit(source.output_vc, now)) blocked_ &= ~bit(channel);
  }
}

template <class Unit, int port_count>
typename input_queued_router<Unit, port_count>::vc_mask
input_queued_router<Unit, port_count>::allocate_switch(vc_mask ready, cycle_t now) {
  for (vc_mask left = ready; left;) {
    const int port = channels_[__builtin_ctzll(left)].port;
    const int first = port * vcs_;
    offer(port, left >> first & first_port_, now);
    left &= ~(first_port_ << first);
  }
  vc_mask accepted = 0;
  switch_allocator_.match([&](int from, int to) { accepted |= bit(offered_[from][to]); });
  return accepted;
}

// One VC for each output that the port has flits and credits for.
template <class Unit, int port_count>
inline void input_queued_router<Unit, port_count>::offer(int port, vc_mask vcs, cycle_t now) {
  std::uint32_t offered = 0;
  while (vcs) {
    const int vc = round_robin(vcs, next_vc_[port]);
    vcs &= ~bit(vc);
    const int channel = port * vcs_ + vc;
    const int to = channels_[channel].output;
    if ((offered >> to & 1) || !has_credit(channel, now)) continue;
    offered |= 1U << to;
    offered_[port][to] = static_cast<std::uint8_t>(channel);
    switch_allocator_.request(port, to);
  }
}

template <class Unit, int port_count>
inline void input_queued_router<Unit, port_count>::grant(int channel, vc_mask bit_of_it,
                                                         cycle_t now) {
  flit_channel& source = channels_[channel];
  const flit_receiver& from = inputs_[source.port];
  const flit leaving = from.cells[source.first];
  from.pop(source, source.vc, now);
  next_vc_[source.port] = static_cast<std::uint8_t>(source.vc + 1);
  const bool has_more = source.more != 0;
  source.more = static_cast<std::uint16_t>(source.more - has_more);
  filled_ &= ~bit_of_it | (vc_mask{0} - has_more);
  if (leaving.is_head()) count_head(source, now);
  if (leaving.is_tail()) {
    ++packets_;
    free_vcs_[source.output] =
        static_cast<std::uint16_t>(free_vcs_[source.output] | 1U << source.output_vc);
    tails_ |= bit_of_it;
  }
  if (is_traced_) show_depth(bit_of_it, std::uint64_t{0} - 1, now);
  outputs_[source.output].send(leaving, source.output_vc, now + crossbar_);
}

template <class Unit, int port_count>
inline void input_queued_router<Unit, port_count>::count_head(const flit_channel& source,
                                                              cycle_t now) {
  const std::uint32_t waited =
      static_cast<std::uint32_t>(now) - source.routed - static_cast<std::uint32_t>(to_switch);
  stalled_ += waited > 0;
  waited_ += waited;
}

template <class Unit, int port_count>
void input_queued_router<Unit, port_count>::show_depth(vc_mask changed, std::uint64_t step,
                                                       cycle_t now) {
  for (; changed; changed &= changed - 1) {
    const int port = channels_[__builtin_ctzll(changed)].port;
    depth_[port].set(shown_depth_[port] += step, now * period_);
  }
}

template <class Unit, int port_count>
const input_queued_counters& input_queued_router<Unit, port_count>::count() const {
  std::uint64_t flits = 0;
  for (const flit_transmitter& each : outputs_) flits += each.flits;
  const auto raise = [](statistic& shown, std::uint64_t value) { shown += value - shown.raw(); };
  raise(counters_.flits, flits);
  raise(counters_.packets, packets_);
  raise(counters_.stalled, stalled_);
  raise(counters_.wait, waited_ * period_);
  return counters_;
}

// A VC that only waits for its turn is not listed.
template <class Unit, int port_count>
std::string input_queued_router<Unit, port_count>::waits() const {
  std::string text;
  for (vc_mask left = allocating_ | blocked_; left; left &= left - 1) {
    const int channel = __builtin_ctzll(left);
    const flit_channel& source = channels_[channel];
    const flit_port* to = ports_[source.output] ? ports_[source.output]->peer() : nullptr;
    text +=
        fmt::format("{}a {} to {} for {} vc {}", text.empty() ? "" : ", ",
                    blocked_ >> channel & 1 ? "credit" : "virtual channel",
                    to ? to->path() : "an open port", ports_[source.port]->name(), channel % vcs_);
  }
  return text;
}

}  // namespace heddle
