#include "models/gpu/hub/hub_wires.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "models/gpu/hub/token_notices.hpp"
#include "models/gpu/hub/token_target.hpp"
#include "models/gpu/hub/vector_mover.hpp"
#include "platform/services/run_control.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/packet/train_check.hpp"
#include "transactors/packet/vc_partition.hpp"

namespace heddle {

hub_side::hub_side(hub_wires& of, unit& owner, int index)
    : wires(of),
      port(owner, of, fmt::format("port[{}]", index), index),
      wake(timed_call::to<hub_side, &hub_side::transmit>(*this)),
      arrival(timed_call::to<hub_side, &hub_side::arrive, &hub_side::fetch_arrival>(*this)) {}

void hub_side::transmit() {
  wires.transmit(*this);
}

void hub_side::arrive() {
  wires.arrive(*this);
}

void hub_side::fetch_arrival() const {
  if (arriving.empty()) return;
  arriving.fetch_next();
  __builtin_prefetch(arriving.next_about().header);
}

hub_wires::hub_wires(hub_core& core, unit& owner, int ports, vector_mover& mover,
                     token_target& target, token_notices& notices)
    : hub_part(core),
      owner_(owner),
      fabric_(owner.sim().service<fabric>()),
      mover_(mover),
      target_(target),
      notices_(notices) {
  for (int i = 0; i < ports; ++i) sides_.push_back(std::make_unique<hub_side>(*this, owner, i));
  fabric_.expect_packets_of(settings_.largest_packet());
}

void hub_wires::connect() {
  routes_ = &fabric_.routes(owner_);
  constexpr std::uint32_t element = 2;  // bytes of BF16, which hubs add
  const std::uint32_t mtu = settings_.format.packets.mtu;
  if (mtu % element != 0 || settings_.interleave % element != 0)
    throw user_error(fmt::format("{}: `mtu` ({} B) and `interleave` ({} B) cut elements of {} B",
                                 owner_.path(), mtu, settings_.interleave, element));
  for (const auto& each : sides_)
    if (each->port.is_bound()) each->port.trace_wire();
  const packet_port* tightest = fabric_.smallest_buffer();
  if (tightest)
    check_train_fits(owner_.path(), settings_.train, settings_.largest_packet(), *tightest);
}

void hub_wires::start() {
  sent_.begin(now_fs());
  received_.begin(now_fs());
}

double hub_wires::rate() const {
  double rate = 0;
  for (const auto& each : sides_)
    if (each->port.is_bound()) rate += static_cast<double>(each->port.rate().bytes_per_second());
  return rate;
}

hub_side& hub_wires::towards(endpoint_id destination, std::uint64_t address) {
  const int port = routes_->port_for(destination, address / settings_.interleave);
  if (port >= 0) return *sides_[static_cast<std::size_t>(port)];
  owner_.sim().service<run_control>().reject(std::make_exception_ptr(user_error(fmt::format(
      "{}: no port leads to {}", owner_.path(), fabric_.endpoint(destination).owner->path()))));
  const auto bound = std::find_if(sides_.begin(), sides_.end(),
                                  [](const auto& each) { return each->port.is_bound(); });
  return bound == sides_.end() ? *sides_.front() : **bound;
}

// What goes to another hub has the plain channels of the link.
std::uint8_t hub_wires::vc_of(const hub_side& through, const packet& p) const {
  if (p.is_inc) return inc_vc_of(p.kind);
  return vc_partition(through.port.vcs()).of_flow(p.kind, p.destination);
}

void hub_wires::enqueue(hub_side& to, packet& p) {
  to.waiting.push(p);
  transmit(to);
}

void hub_wires::transmit(hub_side& from) {
  const fs_t now = now_fs();
  if (from.waiting.empty()) return;
  if (from.port.free_at() > now) return from.wake.at(from.port.free_at());
  packet* next = from.waiting.pop_sendable(from.port, now);
  if (!next) return;
  sent_.add(now, next->wire_bytes);
  const bool is_own = next->kind == token_store || next->kind == token_fetch;
  cause left;
  if (next->is_explained) left = next->why;
  if (is_own) mover_.leaves(*next, from);
  from.port.send(*next, now, next->tail);
  if (!from.waiting.empty()) from.wake.at(from.port.free_at());
  if (!is_own) return;
  left.then(category::queueing, site_, now);
  const running_cause behind_it(left);
  mover_.pump(from);
}

void hub_wires::credits_returned(packet_port& at) {
  transmit(side_of(at));
}

void hub_wires::receive(packet_port& at, packet& arrived) {
  hub_side& through = side_of(at);
  through.arriving.insert(arrived, arrived.tail, {arrived.header.address()});
  through.arrival.at(arrived.tail);
  if (arrived.train > 1) at.release(arrived, arrived.tail);  // from its first packet on
}

void hub_wires::arrive(hub_side& at) {
  const fs_t now = now_fs();
  while (at.arriving.is_due(now)) {
    packet& p = at.arriving.pop();
    at.port.explain_tail(p);
    cause why;
    if (p.is_explained) why = p.why;
    const running_cause arriving(why);
    if (p.train == 1) at.port.release(p, now);
    received_.add(now, p.wire_bytes);
    if (p.kind == token_store || p.kind == token_fetch)
      target_.serve(at, p);
    else if (p.kind == token_notice)
      notices_.take(p);
    else if (p.kind == token_ack || p.kind == token_sum)
      mover_.take_answer(p);
    else
      target_.refuse(at, p);
  }
  if (!at.arriving.empty()) at.arrival.at(at.arriving.next_due());
}

}  // namespace heddle
