#include "models/switch/wormhole_core.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/switch/switch.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

constexpr fs_t allocation_cycles = 3;  // route computation, VC allocation, switch allocation

constexpr std::uint32_t bit(int vc) {
  return std::uint32_t{1} << vc;
}

// Runs use(vc) for every set bit, in ascending order.
template <class Use>
void for_each_vc(std::uint32_t mask, Use use) {
  for (; mask; mask &= mask - 1) use(__builtin_ctz(mask));
}

}  // namespace

wormhole_core::wormhole_core(packet_switch& owner, const switch_parameters& p)
    : owner_(owner),
      cycle_(p.cycle().fs),
      crossbar_((p.pipeline() - allocation_cycles) * cycle_),
      flit_bytes_(static_cast<std::uint32_t>(p.flit().bytes)),
      clock_(timed_call::to<wormhole_core, &wormhole_core::evaluate>(*this)),
      inputs_(p.ports()),
      outputs_(p.ports()),
      arriving_(static_cast<int>(p.ports())),
      routing_(static_cast<int>(p.ports())),
      active_(static_cast<int>(p.ports())),
      crossing_(static_cast<int>(p.ports())),
      vc_allocator_(static_cast<int>(p.ports()), vc_set::channel(static_cast<int>(p.ports()), 0),
                    static_cast<int>(p.ports())),
      switch_allocator_(static_cast<int>(p.ports())),
      offered_(static_cast<int>(p.ports())),
      offered_vc_(p.ports(), std::vector<std::uint8_t>(p.ports())) {}

void wormhole_core::start() {
  if (owner_.sim().service<fabric>().phases() > 1)
    throw user_error(owner_.path() +
                     ": this routing chooses virtual channels, and with `core: fifo` a packet "
                     "takes any that is free; use `core: voq`");
  for (int i = 0; i < owner_.port_count(); ++i) {
    packet_port& link = owner_.port_at(i);
    ports_.push_back(&link);
    inputs_[i].depth = trace_scope(owner_.sim().trace(), link.path()).vector("buffered", 16);
    if (!link.is_bound()) continue;
    check_link(link);
    outputs_[i].free_vcs = static_cast<std::uint16_t>(bit(link.vcs()) - 1);
  }
  activated_.reserve(inputs_.size() * max_vcs);
}

void wormhole_core::check_link(packet_port& link) const {
  if (link.rate().duration(flit_bytes_) > cycle_)
    throw user_error(
        fmt::format("{}: a flit of {} B takes {} fs on this link, longer than the "
                    "cycle of {} fs; raise the bandwidth of the link or the cycle",
                    link.path(), flit_bytes_, link.rate().duration(flit_bytes_), cycle_));
  if (link.latency() < cycle_)
    throw user_error(fmt::format("{}: the link's latency is below the switch's cycle of {} fs",
                                 link.path(), cycle_));
  if (link.buffer_bytes() < flit_bytes_)
    throw user_error(
        fmt::format("{}: the link's buffer holds no flit of {} B", link.path(), flit_bytes_));
}

void wormhole_core::receive(packet_port& at, packet& arrived) {
  if (arrived.kind != packet_kind::flit || arrived.wire_bytes > flit_bytes_)
    throw user_error(
        fmt::format("{} got a {} of {} B: a switch with `core: fifo` carries flits of "
                    "at most {} B; use `core: voq` for packets",
                    at.path(), name_of(arrived.kind), arrived.wire_bytes, flit_bytes_));
  input& in = inputs_[at.index()];
  if (in.wire.empty()) in.next_arrival = arrived.head;
  in.wire.push(arrived);
  arriving_.insert(at.index());
  wake(arrived.head);
}

void wormhole_core::credits_returned(packet_port&) {
  wake(now_fs());
}

void wormhole_core::wake(fs_t when) {
  if (clock_.is_pending() && clock_.due() <= when) return;
  const fs_t edge = (when + cycle_ - 1) / cycle_ * cycle_;
  clock_.at(std::max(edge, next_cycle_));
}

// Each stage sees the state that the others left in the cycle before: the stages run in the reverse
// order of the pipeline, except that switch grants, which free output VCs, come last.
void wormhole_core::evaluate() {
  const fs_t now = now_fs();
  next_cycle_ = now + cycle_;
  if (!crossing_.empty()) send_crossed(now);
  if (!arriving_.empty()) buffer_arrivals(now);
  bool is_moving = allocate_vcs();
  is_moving |= !routing_.empty() && compute_routes();
  is_moving |= !active_.empty() && allocate_switch(now);
  activate_allocated();

  if (is_moving || !crossing_.empty()) return clock_.at(next_cycle_);
  fs_t earliest = fs_never;  // blocked or empty: an arrival or a credit wakes it
  arriving_.for_each([&](int i) { earliest = std::min(earliest, inputs_[i].next_arrival); });
  if (earliest != fs_never) wake(earliest);
}

void wormhole_core::send_crossed(fs_t now) {
  crossing_.for_each([&](int to) {
    output& out = outputs_[to];
    if (out.crossbar.front().head > now) return;
    packet& flit = out.crossbar.pop();
    if (out.crossbar.empty()) crossing_.erase(to);
    --out.crossing[flit.vc];
    ports_[to]->send(flit, now, now);
  });
}

void wormhole_core::buffer_arrivals(fs_t now) {
  arriving_.for_each([&](int from) {
    input& in = inputs_[from];
    while (in.next_arrival <= now) {
      packet& flit = in.wire.pop();
      in.next_arrival = in.wire.empty() ? fs_never : in.wire.front().head;
      const vc_mask channel = bit(flit.vc);
      in.vcs[flit.vc].buffer.push(flit);
      in.filled |= channel;
      ++in.flits;
      in.depth.set(in.flits, now);
      if ((in.allocating | in.active) & channel) continue;
      in.routing |= channel;
      routing_.insert(from);
    }
    if (in.wire.empty()) arriving_.erase(from);
  });
}

bool wormhole_core::allocate_vcs() {
  return vc_allocator_.match(
      [this](int to) -> std::uint16_t& { return outputs_[to].free_vcs; },
      [this](int channel, int, int vc) {
        inputs_[vc_set::port_of(channel)].vcs[vc_set::vc_of(channel)].output_vc =
            static_cast<std::uint8_t>(vc);
        activated_.push_back(channel);
      });
}

void wormhole_core::activate_allocated() {
  for (const int channel : activated_) {
    input& in = inputs_[vc_set::port_of(channel)];
    in.allocating &= ~bit(vc_set::vc_of(channel));
    in.active |= bit(vc_set::vc_of(channel));
    active_.insert(vc_set::port_of(channel));
  }
  activated_.clear();
}

bool wormhole_core::compute_routes() {
  routing_.for_each([&](int from) {
    input& in = inputs_[from];
    for_each_vc(in.routing, [&](int vc) {
      const packet& head = in.vcs[vc].buffer.front();
      const int to = owner_.routes().next(head).port;
      in.vcs[vc].output = static_cast<std::uint16_t>(to);
      vc_allocator_.request(vc_set::channel(from, vc), to);
      owner_.count().peak_queue.raise_to(++outputs_[to].waiting_heads);
    });
    in.allocating |= in.routing;
    in.routing = 0;
  });
  routing_.clear();
  return true;
}

bool wormhole_core::allocate_switch(fs_t now) {
  active_.for_each([&](int from) { offer(from, now); });
  return switch_allocator_.match([&](int from, int to) { grant(from, to, now); });
}

void wormhole_core::offer(int from, fs_t now) {
  input& in = inputs_[from];
  offered_.clear();
  for (vc_mask left = in.active & in.filled; left;) {
    const int vc = round_robin(left, in.next_vc);
    left &= ~bit(vc);
    const int to = in.vcs[vc].output;
    if (offered_.has(to) || !has_credits(in.vcs[vc], now)) continue;
    offered_.insert(to);
    offered_vc_[from][to] = static_cast<std::uint8_t>(vc);
    switch_allocator_.request(from, to);
  }
}

// Flits in the crossbar have no credit yet: they ask together with the candidate.
bool wormhole_core::has_credits(const input_vc& candidate, fs_t now) {
  const std::uint32_t crossing = outputs_[candidate.output].crossing[candidate.output_vc];
  probe_.vc = candidate.output_vc;
  probe_.wire_bytes = candidate.buffer.front().wire_bytes + crossing * flit_bytes_;
  return ports_[candidate.output]->has_credits(probe_, now);
}

void wormhole_core::grant(int from, int to, fs_t now) {
  input& in = inputs_[from];
  output& out = outputs_[to];
  const int vc = offered_vc_[from][to];
  const vc_mask channel = bit(vc);
  input_vc& source = in.vcs[vc];
  packet& flit = source.buffer.pop();
  in.next_vc = (vc + 1) % max_vcs;
  in.depth.set(--in.flits, now);
  if (source.buffer.empty()) in.filled &= ~channel;
  if (flit.first_flit) count_head(out, flit, now);
  if (flit.last_flit) {
    ++owner_.count().packets;
    out.free_vcs = static_cast<std::uint16_t>(out.free_vcs | bit(source.output_vc));
    in.active &= ~channel;
    if (in.active == 0) active_.erase(from);
    if (in.filled & channel) {
      in.routing |= channel;
      routing_.insert(from);
    }
  }
  ports_[from]->release(flit, now);
  flit.vc = source.output_vc;
  flit.head = now + crossbar_;
  out.crossbar.push(flit);
  ++out.crossing[flit.vc];
  crossing_.insert(to);
}

void wormhole_core::count_head(output& out, const packet& head, fs_t now) {
  --out.waiting_heads;
  const fs_t soonest = head.head + (allocation_cycles - 1) * cycle_;
  if (now <= soonest) return;
  ++owner_.count().queued;
  owner_.count().wait += now - soonest;
}

std::string wormhole_core::waiting_for() const {
  std::string text;
  for (std::size_t from = 0; from < inputs_.size(); ++from) {
    const input& in = inputs_[from];
    for_each_vc(in.filled & (in.allocating | in.active), [&](int vc) {
      const input_vc& source = in.vcs[vc];
      const port* to = ports_[source.output]->peer();
      text += fmt::format(
          "{}{} vc {} waits for a {} to {}", text.empty() ? "" : ", ", ports_[from]->name(), vc,
          in.active >> vc & 1 ? "credit" : "virtual channel", to ? to->path() : "an open port");
    });
  }
  return text;
}

}  // namespace heddle
