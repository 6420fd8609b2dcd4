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
//   int route_of(const flit& head, const flit_channel& at)   below 0: rejected
// and is told of an arrival that it cannot pass on: reject(const flit& head). The result is an
// output port, or with two classes of virtual channels port + ports * class: a packet of class 0
// asks for the lower VCs of the output alone, one of class 1 for the others. Outputs that are not
// split (split_vcs()) have class 0 only, with all VCs.
//
// What that reads for every packet, if it is small, may be the Place: it lies with what every
// evaluation reads.
//
// Limitations: unicast flits alone; one cycle each for routing and both allocations; input and
// output speed-up 1, no speculation, no lookahead.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "platform/trace/trace_scope.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/statistic.hpp"
#include "transactors/arbitration/switch_islip.hpp"
#include "transactors/arbitration/vc_islip.hpp"
#include "transactors/arbitration/word_set.hpp"
#include "transactors/flit/flit_port.hpp"

namespace heddle {

struct input_queued_counters : statistic_set {
  statistic flits{*this, "flits", quantity::count, "flits forwarded"};
  statistic packets{*this, "packets", quantity::count, "packets forwarded"};
  statistic stalled{*this, "stalled", quantity::count,
                    "packets whose head waited for a virtual channel, a credit or the switch"};
  summed_time wait{*this, "wait", "summed time for which those heads waited"};
};

struct no_place {};

template <class Unit, int port_count, int most_channels = 64, int vc_classes = 1,
          class Place = no_place>
class input_queued_router {
 public:
  static constexpr int allocation_cycles = 3;  // routing, VC allocation, switch allocation

  void prefetch() const;
  void prefetch_links() const;
  // One clock cycle; whether it has something to do in the next one.
  template <member_state state>
  bool evaluate(cycle_t now);
  // Whether the outputs of heads are to be looked up in the next cycle.
  bool is_loaded() const { return static_cast<bool>(routing_); }
  const input_queued_counters& count() const;

 protected:
  // Input VCs, a bit each: port * stride_ + vc.
  using vc_mask = bit_word_of<most_channels>;
  static constexpr bool is_wide = !std::is_integral_v<vc_mask>;

  input_queued_router(int pipeline, int ports, const Place& place = Place())
      : crossbar_(static_cast<cycle_t>(pipeline - allocation_cycles)),
        place_(place),
        most_vcs_(std::min(most_channels / ports, flit_port::most_vcs)) {
    split_.fill(UINT8_MAX);
  }
  ~input_queued_router() = default;

  // Cycles between the arrival of a head and its switch allocation. A router that sleeps is woken
  // for that, and makes up for what it slept through.
  static constexpr cycle_t to_switch = 2;

  flit_port::timing timing() const { return {static_cast<int>(crossbar_), to_switch}; }
  flit_port::halves halves_of(int port) { return {&outputs_[port], &inputs_[port]}; }
  // The port is bound. All of a router's ports are told before the first flit.
  void add_link(flit_port& port);
  void start(fs_t period);
  const Place& place() const { return place_; }
  bool is_bound(int port) const { return bound_ >> port & 1; }
  // Divides the VCs of an output among two classes, the lower half and the upper half. Called after
  // add_link().
  void split_vcs(int output) {
    split_[output] = static_cast<std::uint8_t>(ports_[output]->vcs() / 2);
    divide_free_vcs(output);
  }
  std::string waits() const;  // for the hang report

  // Whether the packet came on a VC of class 1.
  bool is_upper(const flit_channel& at) const { return at.vc >= split_[at.port]; }
  // Where a port's arrivals are kept.
  arrival_wheel& arrivals_of(int port) { return arrivals_[is_wide ? port / wheel_ports : 0]; }
  // Bytes of memory outside of this object, without those of the ports.
  std::size_t bytes_elsewhere() const {
    std::size_t sum = 0;
    for (const arrival_wheel& each : arrivals_) sum += each.bytes();
    for (const arrival_wheel& each : returns_) sum += each.bytes();
    return sum;
  }

 private:
  // An output for each class: port + port_count * class.
  static constexpr int output_groups = port_count * vc_classes;
  using group_word = bit_word_of<(output_groups > 32 ? output_groups : 32)>;
  using group_words = word_set<bit_word_of<output_groups>>;
  using channel_words = word_set<vc_mask>;

  static constexpr int wheel_ports = 64 / flit_port::most_vcs;  // of a wide router
  using wheels = std::array<arrival_wheel, is_wide ? port_count / wheel_ports : 1>;
  static vc_mask bit(int index) { return word_bit<vc_mask>(index); }
  static int port_of(int group) { return vc_classes == 1 ? group : group % port_count; }
  static int class_of(int group) { return vc_classes == 1 ? 0 : group / port_count; }
  // While a packet has no VC, its accept pointer stands in output_vc, and above that its class.
  static constexpr int class_shift = 4;
  static_assert(flit_port::most_vcs == 1 << class_shift);
  static int group_of(const flit_channel& at) {
    return vc_classes == 1 ? at.output : at.output + port_count * (at.output_vc >> class_shift);
  }
  static int accept_pointer_of(const flit_channel& at) {
    return vc_classes == 1 ? at.output_vc : at.output_vc & ((1 << class_shift) - 1);
  }
  // The accept pointer for the next packet of the channel, which goes to that group: behind the VC
  // that the packet before had there, or 0.
  int next_accept_pointer(const flit_channel& at, int group) const {
    constexpr int vcs = 1 << class_shift;
    const bool is_same = group_of(at.output, at.output_vc) == group;
    return -static_cast<int>(is_same) & (at.output_vc + 1) % vcs;  // unpredictable: no branch
  }
  int group_of(int output, int vc) const {
    return vc_classes == 1 ? output : output + port_count * (vc >= split_[output]);
  }

  Unit& self() { return static_cast<Unit&>(*this); }
  void divide_free_vcs(int output);
  static vc_mask take(wheels& from, cycle_t cycle);
  void catch_up(cycle_t now);
  vc_mask accept(cycle_t arrival, cycle_t now);
  void activate();
  void buffer(vc_mask arrived, cycle_t now);
  void compute_routes(vc_mask heads, cycle_t now, cycle_t first_use);
  bool allocate_vcs(cycle_t first_use);
  void take_vc(flit_channel& at, const vc_mask& bit_of_it, int vc, cycle_t first_use);
  void expect_credit(const flit_channel& source, const vc_mask& bit_of_it, cycle_t first_use);
  void pass_switch(vc_mask ready, cycle_t now);
  bool have_contention(const vc_mask& ready) const;
  void take_returned(cycle_t now);
  void find_stalls(vc_mask starved, const vc_mask& ready);
  void grant(int channel, vc_mask bit_of_it, cycle_t now);
  void count_head(int channel, cycle_t now);
  void show_depth(vc_mask changed, std::uint64_t step, cycle_t now);

  // An input VC with a head in front is in `filled_`, and in one of the masks `routing_`,
  // `followers_`, `allocating_`, `activated_` and `active_`.
  wheels arrivals_;
  vc_mask filled_{};      // the buffer holds flits
  vc_mask routing_{};     // heads of the last cycle, whose outputs are looked up in the next one
  vc_mask followers_{};   // heads behind a tail that left in the last cycle: heads of the next one
  vc_mask allocating_{};  // heads that have no output VC yet
  vc_mask activated_{};   // they have one from the end of the present cycle on
  vc_mask active_{};      // they compete for the switch
  vc_mask starved_{};     // activated or active, but their output VC has no credit
  vc_mask blocked_{};     // of those, the ones that were in turn for the switch
  vc_mask tails_{};       // granted the switch in this cycle
  cycle_t crossbar_;      // switch grant to departure
  std::uint64_t bound_ = 0;
  // Of neighbors, compilers combine the additions to `stalled_` and `waited_` into one of a vector,
  // which is slower.
  std::uint64_t stalled_ = 0, packets_ = 0, waited_ = 0;
  Place place_;
  bool is_traced_ = false;
  std::array<std::uint16_t, output_groups> free_vcs_{};
  switch_islip<vc_mask, port_count> switch_allocator_;

  alignas(64) std::array<flit_channel, most_channels> channels_{};
  // By channel, when the head of its packet in turn was routed: low bits of the cycle. In the
  // router, since arrays of neighbors that lie one behind the other would be fetched ahead by
  // processors that do not need them.
  std::array<std::uint32_t, most_channels> routed_{};
  std::array<flit_receiver, port_count> inputs_{};
  std::array<std::uint8_t, port_count> split_{};  // the first VC of class 1, if there are two
  std::array<flit_transmitter, port_count> outputs_{};
  vc_islip<channel_words, group_words, most_channels, output_groups> vc_allocator_;

  // Not for every flit.
  wheels returns_;  // of credits for which an input VC is starved
  int stride_ = 0;  // channels of a port
  int most_vcs_;
  std::array<flit_port*, port_count> ports_{};
  struct traced_depth {
    trace_signal<std::uint64_t> signal;
    std::uint64_t shown = 0;
  };
  std::unique_ptr<std::array<traced_depth, port_count>> depth_;  // if it is traced
  fs_t period_ = 0;
  mutable input_queued_counters counters_;
};

template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
void input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::add_link(
    flit_port& port) {
  const int index = port.index();
  if (port.vcs() > most_vcs_)
    throw user_error(fmt::format("{}: {} virtual channels, {} has {} at most", port.path(),
                                 port.vcs(), Unit::type_name, most_vcs_));
  ports_[index] = &port;
  port.tell_credits(returns_.data());
  for (arrival_wheel& each : returns_) {
    each.belong_to(port.clock(), 0);
    each.reserve(port.latency(), 0);
  }
  stride_ = is_wide ? flit_port::most_vcs : std::max(stride_, port.vcs());
  free_vcs_[index] = static_cast<std::uint16_t>((1U << port.vcs()) - 1);
  const auto depth = trace_scope(self().sim().trace(), port.path()).vector("buffered", 16);
  if (depth.enabled()) {
    is_traced_ = true;
    if (!depth_) depth_ = std::make_unique<std::array<traced_depth, port_count>>();
    (*depth_)[index].signal = depth;
    depth.set(0, 0);
    // Waves show a flit from its arrival on, so the router does not sleep through it.
    for (arrival_wheel& each : arrivals_) each.belong_to(port.clock(), 0);
  }
  bound_ |= std::uint64_t{1} << index;
}

template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
void input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::divide_free_vcs(
    int output) {
  const std::uint16_t all = free_vcs_[output];
  const auto lower = static_cast<std::uint16_t>((1U << split_[output]) - 1);
  free_vcs_[output] = all & lower;
  free_vcs_[output + port_count] = static_cast<std::uint16_t>(all & ~lower);
}

template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
void input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::start(fs_t period) {
  period_ = period;
  switch_allocator_.set_stride(stride_);
  for (flit_port* each : ports_) {
    if (!each) continue;
    const int first = each->index() * stride_;
    each->listen_from(first % 64, &channels_[first]);
    returns_[first / 64].reserve(0, first % 64 + each->vcs());
    for (int vc = 0; vc < each->vcs(); ++vc)  // as behind the last VC: the pointer is at the first
      channels_[first + vc].output_vc = flit_port::most_vcs - 1;
  }
}

template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
void input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::show_depth(
    vc_mask changed, std::uint64_t step, cycle_t now) {
  for (; changed; changed = without_lowest(changed)) {
    traced_depth& of = (*depth_)[channels_[lowest(changed)].port];
    of.signal.set(of.shown += step, now * period_);
  }
}

template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
const input_queued_counters&
input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::count() const {
  std::uint64_t flits = 0;
  for (const flit_transmitter& each : outputs_) flits += each.flits;
  const auto raise = [](statistic& shown, std::uint64_t value) { shown += value - shown.raw(); };
  raise(counters_.flits, flits);
  raise(counters_.packets, packets_);
  raise(counters_.stalled, stalled_);
  counters_.wait.raise_to(waited_, period_);
  return counters_;
}

// A VC that only waits for its turn is not listed.
template <class Unit, int port_count, int most_channels, int vc_classes, class Place>
std::string input_queued_router<Unit, port_count, most_channels, vc_classes, Place>::waits() const {
  std::string text;
  for (vc_mask left = allocating_ | blocked_; left; left = without_lowest(left)) {
    const int channel = lowest(left);
    const flit_channel& source = channels_[channel];
    const flit_port* to = ports_[source.output] ? ports_[source.output]->peer() : nullptr;
    text += fmt::format("{}a {} to {} for {} vc {}", text.empty() ? "" : ", ",
                        has_bit(blocked_, channel) ? "credit" : "virtual channel",
                        to ? to->path() : "an open port", ports_[source.port]->name(), source.vc);
  }
  return text;
}

}  // namespace heddle

#include "models/router/input_queued_stages.hpp"
