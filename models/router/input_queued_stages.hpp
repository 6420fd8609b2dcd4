// The stages of the input-queued router, in the order in which a cycle runs them.
#pragma once

#include <utility>

#include "models/router/input_queued_router.hpp"

namespace heddle {

// What every evaluation reads. Meshes wait for memory otherwise.
template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
__attribute__((always_inline)) inline void
input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::prefetch() const {
  constexpr int channels_a_line = 64 / sizeof(flit_channel), lines = 3;  // a mesh with four VCs
  arrivals_.front().prefetch();
  __builtin_prefetch(&filled_, 1);
  __builtin_prefetch(&tails_, 1);
  for (int i = 0; i < lines; ++i) __builtin_prefetch(&channels_[i * channels_a_line], 1);
  __builtin_prefetch(&routed_.front(), 1);
  __builtin_prefetch(&inputs_.front());
  __builtin_prefetch(&inputs_.back());
  __builtin_prefetch(&free_vcs_, 1);
  __builtin_prefetch(&vc_allocator_, 1);
}

// Where flits begin in buffers that were empty, and to whom credits go. Lines that another thread
// writes stay where they are.
template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
__attribute__((always_inline)) inline void
input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::prefetch_links() const {
  for (const flit_receiver& each : inputs_) {
    __builtin_prefetch(each.cells);
    if (!each.is_crossing) __builtin_prefetch(each.far, 1);
  }
}

template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
inline typename input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::vc_mask
input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::take(wheels& from,
                                                                              cycle_t cycle) {
  if constexpr (is_wide) {
    vc_mask taken;
    for (std::size_t i = 0; i < from.size(); ++i)
      taken.part(static_cast<int>(i)) = from[i].take(cycle);
    return taken;
  } else {
    return from.front().take(cycle);
  }
}

// Each stage sees the state that the others left in the cycle before. The outputs of heads are
// looked up, and VCs are allocated, when the cycle after that of these stages is evaluated: nobody
// needs the result earlier. A router that sleeps through that cycle does it in the next one.
template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
template <member_state state>
__attribute__((always_inline)) inline bool
input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::evaluate(cycle_t now) {
  if constexpr (state == member_state::woken) catch_up(now);
  if (state == member_state::loaded || (state == member_state::woken && routing_))
    compute_routes(routing_, now - 1, now);
  const bool is_moving = vc_allocator_.has_requests() && allocate_vcs(now);
  const vc_mask heads = accept(now, now);
  if (starved_) take_returned(now);
  tails_ = vc_mask();
  if (const vc_mask asking = active_ & filled_ & ~blocked_) {
    if (const vc_mask starved = asking & starved_) find_stalls(starved, asking & ~starved_);
    if (const vc_mask ready = asking & ~starved_) pass_switch(ready, now);
  }
  activate();
  routing_ = heads | followers_;
  const vc_mask without_arrival = std::exchange(followers_, tails_ & filled_);
  // Followers have no arrival that wakes the router when they ask for the switch. Whatever else
  // waits is woken by an arrival or a credit. While its buffers are traced, heads wake the router
  // when they arrive and not again when they are routed.
  return static_cast<bool>(without_arrival | followers_ | (active_ & filled_ & ~blocked_) |
                           bits_if(is_moving || tails_, allocating_) |
                           bits_if(is_traced_, routing_));
}

// Nothing asked for the switch since the last cycle; heads may have come in the two before `now`.
template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
void input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::catch_up(
    cycle_t now) {
  if (now < to_switch) return;
  if (const vc_mask heads = routing_ | accept(now - 2, now)) {
    compute_routes(heads, now - 2, now);
    if (vc_allocator_.has_requests()) allocate_vcs(now);
    activate();
  }
  routing_ = accept(now - 1, now);
}

// The packets that were given a VC compete for the switch from the next cycle on.
template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
inline void input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::activate() {
  active_ = (active_ & ~tails_) | std::exchange(activated_, vc_mask());
}

// Takes what arrived in that cycle. Returns the heads among it that wait for no other packet.
template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
inline typename input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::vc_mask
input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::accept(cycle_t arrival,
                                                                                cycle_t now) {
  const vc_mask arrived = take(arrivals_, arrival);
  const vc_mask heads = arrived & ~(filled_ | active_);
  buffer(arrived, now);
  return heads;
}

// What comes into an empty buffer, as most flits do, is not counted.
template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
inline void input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::buffer(
    vc_mask arrived, cycle_t now) {
  for (vc_mask left = arrived & filled_; left; left = without_lowest(left))
    ++channels_[lowest(left)].more;
  filled_ |= arrived;
  if (is_traced_) show_depth(arrived, 1, now);
}

// Most heads are the only ones that ask for their output, and have their VC for the next cycle.
template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
inline void input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::compute_routes(
    vc_mask heads, cycle_t now, cycle_t first_use) {
  group_word wanted = vc_allocator_.wanted().word(), twice = wanted;
  for (vc_mask left = heads; left; left = without_lowest(left)) {
    const int channel = lowest(left);
    flit_channel& at = channels_[channel];
    const flit& head = inputs_[at.port].cells[at.first];
    const int to = self().route_of(head, at);
    if (to < 0) return self().reject(head);
    const int waiting = next_accept_pointer(at, to) | class_of(to) << class_shift;
    at.output = static_cast<std::uint8_t>(port_of(to));
    at.output_vc = static_cast<std::uint8_t>(waiting);
    routed_[channel] = static_cast<std::uint32_t>(now);
    twice |= wanted & word_bit<group_word>(to);
    wanted |= word_bit<group_word>(to);
  }
  for (; heads; heads = without_lowest(heads)) {
    const int channel = lowest(heads);
    flit_channel& at = channels_[channel];
    const int to = group_of(at);
    std::uint16_t& free_vcs = free_vcs_[to];
    if (has_bit(twice, to) || free_vcs == 0) {
      allocating_ |= only_lowest(heads);
      vc_allocator_.request(channel, to);
    } else {
      const int vc = vc_allocator_.match_alone(channel, to, accept_pointer_of(at), free_vcs);
      take_vc(at, only_lowest(heads), vc, first_use);
    }
  }
}

template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
inline bool input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::allocate_vcs(
    cycle_t first_use) {
  return vc_allocator_.match([this](int group) -> std::uint16_t& { return free_vcs_[group]; },
                             [this](int channel) { return accept_pointer_of(channels_[channel]); },
                             [this, first_use](int channel, int, int vc) {
                               allocating_ &= ~bit(channel);
                               take_vc(channels_[channel], bit(channel), vc, first_use);
                             });
}

// The packet has that output VC, which it can use from that cycle on at the earliest.
template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
inline void input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::take_vc(
    flit_channel& at, const vc_mask& bit_of_it, int vc, cycle_t first_use) {
  at.output_vc = static_cast<std::uint8_t>(vc);
  activated_ |= bit_of_it;
  switch_allocator_.join(bit_of_it, at.output);
  expect_credit(at, bit_of_it, first_use);
}

// Whoever has an output VC without a credit is starved until the wheel says that one is back.
template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
inline void input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::expect_credit(
    const flit_channel& source, const vc_mask& bit_of_it, cycle_t first_use) {
  flit_transmitter& to = outputs_[source.output];
  if (to.has_credit(source.output_vc, first_use)) return;
  starved_ |= bit_of_it;
  to.await_credit(source.output_vc, static_cast<std::uint16_t>(lowest(bit_of_it)), first_use);
}

template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
inline void input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::take_returned(
    cycle_t now) {
  const vc_mask returned = take(returns_, now);
  starved_ &= ~returned;
  blocked_ &= ~returned;
}

template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
inline void input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::pass_switch(
    vc_mask ready, cycle_t now) {
  if (have_contention(ready))
    ready = switch_allocator_.match(ready, [this](int channel) { return channels_[channel].port; });
  for (; ready; ready = without_lowest(ready)) grant(lowest(ready), only_lowest(ready), now);
}

// Whether packets of one input or for one output may be among them. Few packets mostly come from
// different inputs and go to different outputs. What looks like a conflict and is none, of ports
// that are 8 apart, is arbitrated all the same.
template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
inline bool input_queued_router<Unit, port_count, most_channels, vc_classes,
                                Place>::have_contention(const vc_mask& ready) const {
  const vc_mask from_second = without_lowest(ready), from_third = without_lowest(from_second);
  if (!from_second) return false;
  if (without_lowest(from_third)) return true;
  std::uint32_t claimed = 0, twice = 0;
  for (vc_mask left = ready; left; left = without_lowest(left)) {
    const flit_channel& each = channels_[lowest(left)];
    const std::uint32_t claims = 1U << (each.port & 7) | 0x100U << (each.output & 7);
    twice |= claimed & claims;
    claimed |= claims;
  }
  return twice != 0;
}

// Starved packets that come first of their input for an output have their turn and cannot use it:
// the link stalls for want of a credit. The others wait behind those in turn.
template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
void input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::find_stalls(
    vc_mask starved, const vc_mask& ready) {
  while (starved) {
    const flit_channel& any = channels_[lowest(starved)];
    vc_mask its = switch_allocator_.of_input(
        switch_allocator_.contenders(any.output) & (starved | ready), any.port);
    starved &= ~its;
    while (its) {
      const int channel = switch_allocator_.first_in_turn(its, any.port);
      if (has_bit(ready, channel)) break;
      its &= ~bit(channel);
      blocked_ |= bit(channel);
      ports_[any.output]->count_credit_stall();
    }
  }
}

template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
inline void input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::grant(
    int channel, vc_mask bit_of_it, cycle_t now) {
  flit_channel& source = channels_[channel];
  // Copies: what follows writes bytes, behind which a compiler reads everything again. The flit
  // itself stays in its cell: nobody else sends while this router is evaluated.
  const int input = source.port, output = source.output, output_vc = source.output_vc;
  const flit_receiver& from = inputs_[input];
  const flit& leaving = from.cells[source.first];
  const bool is_head = leaving.is_head(), is_tail = leaving.is_tail();
  from.pop(source, source.vc, is_tail, now);
  const bool has_more = source.more != 0;
  source.more = static_cast<std::uint16_t>(source.more - has_more);
  filled_ &= ~bits_if(!has_more, bit_of_it);
  if (is_head) count_head(channel, now);
  switch_allocator_.passed(channel, input, output);
  if (is_tail) {
    ++packets_;
    std::uint16_t& free_vcs = free_vcs_[group_of(output, output_vc)];
    free_vcs = static_cast<std::uint16_t>(free_vcs | 1U << output_vc);
    tails_ |= bit_of_it;
    switch_allocator_.leave(bit_of_it, output);
  }
  if (is_traced_) show_depth(bit_of_it, std::uint64_t{0} - 1, now);
  outputs_[output].send(leaving, output_vc, now + crossbar_);
  if (!is_tail) expect_credit(source, bit_of_it, now + 1);
}

template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
inline void input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::count_head(
    int channel, cycle_t now) {
  const std::uint32_t waited =
      static_cast<std::uint32_t>(now) - routed_[channel] - static_cast<std::uint32_t>(to_switch);
  stalled_ += waited > 0;
  waited_ += waited;
}

}  // namespace heddle
