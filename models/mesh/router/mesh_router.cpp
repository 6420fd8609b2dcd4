#include "models/mesh/router/mesh_router.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/services/run_control.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(mesh_router,
                     describe_unit<mesh_router>("mesh_router",
                                                "router of a 2D mesh: wormhole with virtual "
                                                "channels, dimension-order routing"));

constexpr cycle_t allocation_cycles = 3;  // route computation, VC allocation, switch allocation

constexpr std::uint64_t bit(int index) {
  return std::uint64_t{1} << index;
}

}  // namespace

std::vector<port_description> mesh_router::port_descriptions() {
  return {{"north", "flit", "y + 1"},
          {"east", "flit", "x + 1"},
          {"south", "flit", "y - 1"},
          {"west", "flit", "x - 1"},
          {"local", "flit", "the tile"}};
}

mesh_router::mesh_router(const unit_context& context, const parameters& p)
    : unit(context),
      crossbar_(p.pipeline() - allocation_cycles),
      here_{static_cast<std::uint8_t>(p.x()), static_cast<std::uint8_t>(p.y())},
      routes_(p.routing() == "xy" ? x_first_table : y_first_table),
      ports_{
          {{*this, clock_, "north", north, arrivals_, {static_cast<int>(crossbar_), to_switch}},
           {*this, clock_, "east", east, arrivals_, {static_cast<int>(crossbar_), to_switch}},
           {*this, clock_, "south", south, arrivals_, {static_cast<int>(crossbar_), to_switch}},
           {*this, clock_, "west", west, arrivals_, {static_cast<int>(crossbar_), to_switch}},
           {*this, clock_, "local", local, arrivals_, {static_cast<int>(crossbar_), to_switch}}}} {
  sim().service<clock_domains>().with_period(p.cycle().fs).join(*this, clock_);
  sim().service<flit_network>().add_router(*this);
}

void mesh_router::on_connected() {
  for (int i = 0; i < mesh_directions; ++i) {
    const flit_port& link = ports_[i];
    if (!link.is_bound()) continue;
    if (link.vcs() > most_vcs)
      throw user_error(fmt::format("{}: {} virtual channels, a mesh_router has {} at most",
                                   link.path(), link.vcs(), most_vcs));
    vcs_ = std::max(vcs_, link.vcs());
    free_vcs_[i] = static_cast<std::uint16_t>((1U << link.vcs()) - 1);
    depth_[i] = trace_scope(sim().trace(), link.path()).vector("buffered", 16);
    depth_[i].set(0, 0);
    is_traced_ |= depth_[i].enabled();
    bound_ |= 1U << i;
  }
  for (int i = 0; i < mesh_directions * vcs_; ++i) {
    channels_[i].port = static_cast<std::uint8_t>(i / vcs_);
    channels_[i].vc = static_cast<std::uint8_t>(i % vcs_);
  }
  for (flit_port& each : ports_) each.listen_from(each.index() * vcs_);
  first_port_ = bit(vcs_) - 1;
  sim().service<flit_network>().check();
}

// Each stage sees the state that the others left in the cycle before: the stages run in the reverse
// order of the pipeline, except that switch grants, which free output VCs, come last.
void mesh_router::evaluate(cycle_t now) {
  if (last_ + 1 != now) catch_up(now);
  last_ = now;
  const vc_mask arrived = accept(now, now);
  bool is_moving = vc_allocator_.has_requests() && allocate_vcs();
  const vc_mask uncovered = routing_;  // heads that had to wait for the packet before
  routing_ = 0;
  if (uncovered | arrived) compute_routes(uncovered | arrived, now);
  if (blocked_) unblock(now);
  vc_mask granted = active_ & filled_ & ~blocked_;
  if (granted) granted = allocate_switch(granted, now);
  is_moving |= granted != 0;
  for (; granted; granted &= granted - 1) grant(__builtin_ctzll(granted), now);
  active_ |= activated_;
  activated_ = 0;
  // Whatever else waits is woken by an arrival or a credit.
  const bool goes_on =
      routing_ || (is_moving && (vc_allocator_.has_requests() || (active_ & filled_ & ~blocked_)));
  if (goes_on || uncovered) clock_.wake(goes_on ? now + 1 : now + to_switch);
}

// Nothing asked for the switch in the cycle before `now`; heads may have come in it and before it.
void mesh_router::catch_up(cycle_t now) {
  if (now < to_switch) return;
  if (const vc_mask heads = accept(now - 2, now)) compute_routes(heads, now - 2);
  if (vc_allocator_.has_requests()) allocate_vcs();
  active_ |= activated_;
  activated_ = 0;
  if (const vc_mask heads = accept(now - 1, now)) compute_routes(heads, now - 1);
}

// Takes what arrived in a cycle. Returns the heads among it that wait for no other packet.
inline mesh_router::vc_mask mesh_router::accept(cycle_t arrival, cycle_t now) {
  const vc_mask arrived = arrivals_.take(arrival);
  const vc_mask heads = arrived & ~(filled_ | allocating_ | active_);
  filled_ |= arrived;
  for (vc_mask left = arrived; left; left &= left - 1) {
    input_vc& in = channels_[__builtin_ctzll(left)];
    ++in.count;
    if (is_traced_) depth_[in.port].set(++buffered_[in.port], clock_.domain().start_of(now));
  }
  return heads;
}

inline bool mesh_router::allocate_vcs() {
  return vc_allocator_.match([this](int output) -> std::uint16_t& { return free_vcs_[output]; },
                             [this](int channel, int, int vc) {
                               channels_[channel].output_vc = static_cast<std::uint8_t>(vc);
                               activated_ |= bit(channel);
                               allocating_ &= ~bit(channel);
                             });
}

inline void mesh_router::compute_routes(vc_mask heads, cycle_t cycle) {
  allocating_ |= heads;
  for (; heads; heads &= heads - 1) {
    const int channel = __builtin_ctzll(heads);
    input_vc& in = channels_[channel];
    const flit& head = ports_[in.port].front(in.vc);
    const int to = route(head.destination);
    if (!(bound_ >> to & 1) || head.op != flit_op::unicast) return reject(head);
    in.output = static_cast<std::uint8_t>(to);
    in.routed = static_cast<std::uint32_t>(cycle);
    vc_allocator_.request(channel, to);
  }
}

inline mesh_router::vc_mask mesh_router::allocate_switch(vc_mask ready, cycle_t now) {
  if ((ready & (ready - 1)) == 0) return allocate_switch_to(__builtin_ctzll(ready), now);
  for (vc_mask left = ready; left;) {
    const int port = channels_[__builtin_ctzll(left)].port;
    const int first = port * vcs_;
    offer(port, left >> first & first_port_, now);
    left &= ~(first_port_ << first);
  }
  return match_switch();
}

inline bool mesh_router::has_credit(int channel, cycle_t now) {
  const input_vc& source = channels_[channel];
  if (ports_[source.output].has_credit(source.output_vc, now)) return true;
  blocked_ |= bit(channel);
  return false;
}

void mesh_router::unblock(cycle_t now) {
  for (vc_mask left = blocked_; left; left &= left - 1) {
    const int channel = __builtin_ctzll(left);
    const input_vc& source = channels_[channel];
    if (ports_[source.output].has_credit_now(source.output_vc, now)) blocked_ &= ~bit(channel);
  }
}

// One VC for each output that the port has flits and credits for.
inline void mesh_router::offer(int port, vc_mask vcs, cycle_t now) {
  port_mask offered = 0;
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

// Nobody else asks.
inline mesh_router::vc_mask mesh_router::allocate_switch_to(int channel, cycle_t now) {
  const input_vc& source = channels_[channel];
  if (!has_credit(channel, now)) return 0;
  switch_allocator_.match_alone(source.port, source.output);
  return bit(channel);
}

inline mesh_router::vc_mask mesh_router::match_switch() {
  vc_mask accepted = 0;
  switch_allocator_.match([&](int from, int to) { accepted |= bit(offered_[from][to]); });
  return accepted;
}

inline void mesh_router::grant(int channel, cycle_t now) {
  input_vc& source = channels_[channel];
  flit_port& from = ports_[source.port];
  const flit& leaving = from.front(source.vc);  // stays in its place until the credit is used
  from.pop(source.vc, now);
  --source.count;
  filled_ &= ~(static_cast<vc_mask>(source.count == 0) << channel);
  next_vc_[source.port] = static_cast<std::uint8_t>(source.vc + 1);
  if (is_traced_) depth_[source.port].set(--buffered_[source.port], clock_.domain().start_of(now));
  ++counters_.flits;
  if (leaving.is_head()) count_head(source, now);
  if (leaving.is_tail()) {
    ++counters_.packets;
    free_vcs_[source.output] =
        static_cast<std::uint16_t>(free_vcs_[source.output] | 1U << source.output_vc);
    active_ &= ~bit(channel);
    routing_ |= bit(channel) & filled_;
  }
  ports_[source.output].send(leaving, source.output_vc, now + crossbar_);
}

inline void mesh_router::count_head(const input_vc& source, cycle_t now) {
  constexpr std::uint32_t soonest = allocation_cycles - 1;
  const std::uint32_t waited = static_cast<std::uint32_t>(now) - source.routed - soonest;
  counters_.stalled += waited > 0;
  counters_.wait += clock_.domain().start_of(waited);
}

void mesh_router::reject(const flit& head) {
  const std::string what =
      head.op != flit_op::unicast
          ? fmt::format("{}: a {} came to a mesh_router: a collective_router takes it", path(),
                        name_of(head.op))
          : fmt::format("{}: no way to ({}, {}): it is outside the mesh", path(),
                        head.destination.x, head.destination.y);
  sim().service<run_control>().reject(std::make_exception_ptr(user_error(what)));
}

std::string mesh_router::waiting_for() const {
  std::string text;
  for (vc_mask left = filled_ & (allocating_ | active_); left; left &= left - 1) {
    const int channel = __builtin_ctzll(left);
    const input_vc& source = channels_[channel];
    const flit_port* to = ports_[source.output].peer();
    text +=
        fmt::format("{}a {} to {} for {} vc {}", text.empty() ? "" : ", ",
                    active_ >> channel & 1 ? "credit" : "virtual channel",
                    to ? to->path() : "an open port", mesh_port_names[source.port], channel % vcs_);
  }
  return text;
}

std::size_t mesh_router::bytes() const {
  std::size_t sum = sizeof *this + arrivals_.bytes();
  for (const flit_port& each : ports_) sum += each.bytes() - sizeof each;
  return sum;
}

}  // namespace heddle
