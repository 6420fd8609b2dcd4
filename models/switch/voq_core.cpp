#include "models/switch/voq_core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/switch/stage_bay.hpp"
#include "models/switch/switch.hpp"
#include "platform/text/counted.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/arbitration/round_robin.hpp"

namespace heddle {

voq_core::input::input(voq_core& c, packet_port& p, bool has_middle)
    : core(c),
      port(p),
      forwarding(c.forwarding()),
      ready(has_middle
                ? timed_call::to<input, &input::forward_to_stages, &input::fetch_whole>(*this)
                : timed_call::to<input, &input::forward, &input::fetch>(*this)) {}

voq_core::output::output(voq_core& c, packet_port& p, int n)
    : core(c), port(p), wake(timed_call::to<output, &output::serve>(*this)), inputs(n) {}

voq_core::voq_core(packet_switch& owner, const switch_parameters& p)
    : owner_(owner), forwarding_(p.forwarding().fs) {}

void voq_core::start() {
  const int ports = owner_.port_count();
  const stage_bay* bay = owner_.bay();
  routes_ = &owner_.routes();
  for (int i = 0; i < ports; ++i) {
    packet_port& port = owner_.port_at(i);
    inputs_.push_back(std::make_unique<input>(*this, port, bay && bay->has(stage_place::middle)));
    outputs_.push_back(std::make_unique<output>(*this, port, ports));
    if (!bay) port.hand_to(*inputs_.back());  // else through the stages
    const trace_scope scope(owner_.sim().trace(), port.path());
    outputs_.back()->depth = scope.vector("queue", 16);
    outputs_.back()->depth.set(0, 0);
    if (!bay) continue;
    if (bay->has(stage_place::egress)) outputs_.back()->egress = bay;
    outputs_.back()->device_depth = scope.vector("inc_queue", 16);
    outputs_.back()->device_depth.set(0, 0);
  }
}

void voq_core::receive(packet_port& at, packet& arrived) {
  inputs_[at.index()]->receive(at, arrived);
}

void voq_core::input::receive(packet_port&, packet& arrived) {
  const fs_t due = arrived.head + forwarding;
  arriving.push(arrived, due);
  ready.at(due);
}

// From here on the packet has the virtual channel of its next link; the one of the receive buffer
// that it lies in is remembered.
inline int voq_core::choose_output(packet& p) {
  const route_hop hop = routes_->next(p);
  p.held_vc = std::exchange(p.vc, hop.vc);
  return hop.port;
}

void voq_core::input::forward() {
  const fs_t now = now_fs();
  while (arriving.is_due(now)) {
    packet& p = arriving.pop();
    port.fetch_release(p);
    const int to = core.choose_output(p);
    core.pass_on(p, port, *core.outputs_[to], now);
  }
  if (!arriving.empty()) ready.at(arriving.next_due());
}

void voq_core::input::forward_to_stages() {
  const fs_t now = now_fs();
  while (arriving.is_due(now)) core.forward(arriving.pop_whole(), port.index());
  if (!arriving.empty()) ready.at(arriving.next_due());
}

void voq_core::forward(packet& p, int from) {
  const fs_t now = now_fs();
  const int to = choose_output(p);
  if (p.is_explained) p.why.then(category::forwarding, owner_.site(), now);
  stage_visit visit;
  visit.place = stage_place::middle;
  visit.input = static_cast<std::uint16_t>(from);
  visit.output = static_cast<std::uint16_t>(to);
  visit.first = now;
  if (!owner_.bay()->intercept(visit, p)) queue(p, from, to);
}

void voq_core::queue(packet& p, int from, int to) {
  pass_on(p, inputs_[from]->port, *outputs_[to], now_fs());
}

// At once, if nobody waits; else through the queue.
void voq_core::pass_on(packet& p, packet_port& from, output& out, fs_t now) {
  const bool is_alone = out.waiting_vcs == 0 && out.emitted.empty();
  const bool is_free = out.port.free_at() <= now;
  if (is_alone && is_free && out.port.has_credits(p, now)) {
    out.take_turn(from.index(), p.vc);
    depart(p, from, out, now);
  } else {
    enqueue(p, from.index(), out, now);
    if (!is_alone && is_free)
      out.serve();  // it does not overtake those that wait
    else
      out.note_peaks();
  }
}

void voq_core::enqueue(packet& waiting, int from, output& out, fs_t now) {
  waiting_vc& line = out.waiting[waiting.vc];
  if (line.queues.empty()) line.open(out.inputs);
  line.queues[from].push(waiting);
  line.inputs.insert(from);
  out.waiting_vcs |= 1U << waiting.vc;
  out.length += waiting.train;
  owner_.count().queued += waiting.train;
  out.depth.set(out.length, now);
  const fs_t free_at = out.port.free_at();
  if (free_at > now) out.wake.at(free_at);  // else it waits for credits, which wake it
}

void voq_core::output::serve() {
  const fs_t now = now_fs();
  if (port.free_at() > now) {
    note_peaks();
    return wake.at(port.free_at());
  }
  const bool is_served = is_turn_of_stages ? serve_stages(now) || serve_inputs(now)
                                           : serve_inputs(now) || serve_stages(now);
  if (!waiting_vcs && emitted.empty()) return;
  // A stage at egress that took the packet may have left the wire free.
  if (is_served) wake.at(std::max(now, port.free_at()));
  if (!is_served || port.free_at() > now) note_peaks();
}

// Called when packets remain queued after this instant. A packet that arrives and leaves in the
// same instant has not waited: it never counts toward the peak, and waves do not show it either.
void voq_core::output::note_peaks() const {
  switch_counters& counters = core.owner_.count();
  counters.peak_queue.raise_to(length);
  counters.peak_device_queue.raise_to(emitted.packets());
}

bool voq_core::output::serve_stages(fs_t now) {
  if (emitted.empty()) return false;
  const emission next = emitted.pop_sendable(port, now);
  if (!next.what) return false;
  is_turn_of_stages = false;
  device_depth.set(emitted.packets(), now);
  stage& sender = core.owner_.bay()->numbered(next.stage);
  packet& leaving = next.is_copy ? sender.copy(*next.what, next.order) : *next.what;
  leaving.emitted_by = next.stage;
  const packet_kind kind = leaving.kind;
  const std::uint32_t packets = leaving.train;
  core.owner_.count().device_packets += packets;
  core.send(leaving, *this, now, leaving.tail, stage_visit::no_port);
  sender.transmitted(port.index(), kind, packets);
  return true;
}

bool voq_core::output::serve_inputs(fs_t now) {
  for (int tries = __builtin_popcount(waiting_vcs); tries > 0; --tries) {
    const int vc = round_robin(waiting_vcs, next_vc);
    next_vc = (vc + 1) % all_vcs;  // also when it turns out to be blocked
    waiting_vc& line = waiting[vc];
    const int from = line.inputs.next(line.next_input);
    packet_queue& waiting_here = line.queues[from];
    if (!port.has_credits(waiting_here.front(), now)) continue;
    take_turn(from, vc);
    packet& p = waiting_here.pop();
    if (waiting_here.empty()) {
      line.inputs.erase(from);
      if (line.inputs.empty()) waiting_vcs &= ~(1U << vc);
    }
    length -= p.train;
    depth.set(length, now);
    core.depart(p, core.inputs_[from]->port, *this, now);
    return true;
  }
  return false;
}

// Whoever is served goes to the back of the round, also when nobody waited.
void voq_core::output::take_turn(int from, int vc) {
  next_vc = (vc + 1) % all_vcs;
  waiting[vc].next_input = from + 1;
  is_turn_of_stages = true;
}

void voq_core::transmit(int port, const emission& sent) {
  output& out = *outputs_[port];
  const fs_t now = now_fs();
  out.emitted.push(sent);
  out.device_depth.set(out.emitted.packets(), now);
  if (out.port.free_at() > now) out.note_peaks();
  out.wake.at(std::max(now, out.port.free_at()));
}

void voq_core::depart(packet& leaving, packet_port& from, output& out, fs_t now) {
  const fs_t ready = leaving.head + forwarding_;
  owner_.count().packets += leaving.train;
  owner_.count().wait += leaving.train * (now - ready);
  if (leaving.is_explained) leaving.why.then(category::forwarding, owner_.site(), ready);
  // Cut-through: the last byte leaves no earlier than it came plus the way through the switch.
  const fs_t tail_ready = leaving.tail + forwarding_;
  const fs_t last_byte = out.port.last_byte(leaving, now, tail_ready);
  leaving.head = now;
  std::swap(leaving.vc, leaving.held_vc);
  from.release(leaving, last_byte);
  std::swap(leaving.vc, leaving.held_vc);
  send(leaving, out, now, tail_ready, from.index());
}

// The packet has left the queues of the switch; at egress a stage may still take it. `from` is
// no_port for a packet of a stage.
inline void voq_core::send(packet& leaving, output& out, fs_t now, fs_t tail_ready, int from) {
  if (!out.egress) {
    out.port.send(leaving, now, tail_ready);
    return;
  }
  const fs_t in_stage = out.egress->egress_rate(out.port.index()).duration(leaving.wire_bytes);
  const bool is_emitted = from == stage_visit::no_port;
  stage_visit visit;
  visit.place = stage_place::egress;
  visit.input = static_cast<std::uint16_t>(from);
  visit.output = static_cast<std::uint16_t>(out.port.index());
  visit.first = leaving.head = now;
  leaving.tail = out.port.last_byte(leaving, now, tail_ready);
  if (!out.egress->intercept(visit, leaving, is_emitted ? leaving.emitted_by : -1))
    out.port.send(leaving, now, tail_ready);
  out.port.keep_busy(now + in_stage);
}

void voq_core::credits_returned(packet_port& at) {
  outputs_[at.index()]->serve();
}

std::uint64_t voq_core::load_of(int port) const {
  const output& out = *outputs_[port];
  return out.length + out.emitted.packets() + (out.port.free_at() > now_fs() ? 1 : 0);
}

void voq_core::add_waiting(std::vector<waiting_packet>& all) const {
  for (const auto& out : outputs_)
    for (int vc = 0; vc < all_vcs; ++vc) {
      const waiting_vc& line = out->waiting[vc];
      line.inputs.for_each([&](int from) {
        const packet& head = line.queues[from].front();
        all.push_back({&inputs_[from]->port, head.held_vc, &out->port, vc,
                       out->port.credits_to_come(vc) >= head.wire_bytes});
      });
    }
}

std::string voq_core::waiting_for() const {
  std::string text;
  for (const auto& out : outputs_) {
    const std::uint32_t packets = out->length + out->emitted.packets();
    if (packets == 0) continue;
    if (!text.empty()) text += ", ";
    const packet_port* peer = out->port.peer();
    text +=
        fmt::format("{} for {}", counted(packets, "packet"), peer ? peer->path() : "an open port");
  }
  return text;
}

}  // namespace heddle
