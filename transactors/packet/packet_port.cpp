#include "transactors/packet/packet_port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cctype>
#include <utility>

#include "platform/unit/registry.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {
namespace {

[[maybe_unused]] const bool link_is_registered = [] {
  registry::instance().add(link_type{"packet", "joins two packet ports, both directions alike",
                                     [] { return std::make_unique<link_parameters>(); }});
  return true;
}();

}  // namespace

// "IDLE", then the kinds of packets.
trace_states packet_port::wire_state_names() {
  std::vector<std::string> names = {"IDLE"};
  for (int kind = 0; kind < packet_kind_count(); ++kind) {
    names.emplace_back(name_of(static_cast<packet_kind>(kind)));
    for (char& c : names.back()) c = static_cast<char>(std::toupper(c));
  }
  names.emplace_back("NO_CREDITS");
  return trace_states(std::move(names));
}

// Every packet needs these two: they are inlined here, where all calls are.
// Nearly sorted already: buffers free up in the order of departure from different outputs.
inline void credit_account::push(const credit_return& item) {
  if (count == capacity) grow();
  std::uint32_t hole = count++;
  for (; hole > 0 && nth(hole - 1).when > item.when; --hole) nth(hole) = nth(hole - 1);
  nth(hole) = item;
  spread += item.is_spread();
  next_return = ring[first].when;
}

inline void credit_account::collect(fs_t now) {
  constexpr std::uint32_t ahead = 8;  // two cache lines of a long ring, which has left the caches
  while (next_return <= now) {
    __builtin_prefetch(&ring[(first + ahead) & (capacity - 1)]);
    available += ring[first].bytes;
    spread -= ring[first].is_spread();
    first = (first + 1) & (capacity - 1);
    --count;
    next_return = count > 0 ? ring[first].when : fs_never;
  }
}

packet_port::packet_port(unit& owner, packet_receiver& receiver, const std::string& name, int index)
    : port(owner, name),
      receiver_(&receiver),
      index_(index),
      retry_(timed_call::to<packet_port, &packet_port::retry>(*this)) {}

void packet_port::create_sockets() {
  const building_inside owning(owner());
  std::string legal;
  for (char c : name())
    if (c != ']') legal += c == '[' ? '_' : c;
  transmit_ = std::make_unique<packet_initiator_socket>((legal + "_tx").c_str());
  receive_ = std::make_unique<packet_target_socket>((legal + "_rx").c_str());
  transmit_->bind(static_cast<packet_backward_interface&>(*this));
  receive_->bind(static_cast<packet_forward_interface&>(*this));
}

void packet_port::check_granularity(const packet_port& far) const {
  const packet_granularity here = receiver_->granularity(), there = far.receiver_->granularity();
  if (here == packet_granularity::any || there == packet_granularity::any || here == there) return;
  const bool is_here = here == packet_granularity::flits;
  throw user_error(fmt::format("{} works flit by flit, {} with whole packets",
                               is_here ? path() : far.path(), is_here ? far.path() : path()));
}

link_figures packet_port::figures() const {
  const fs_t to_come = last_on_wire() - std::min(last_on_wire(), now_fs());
  return {counters_.packets.raw(), counters_.bytes.raw(), counters_.payload.raw(),
          counters_.busy.raw() - to_come, counters_.credit_stalls.raw()};
}

void packet_port::keep_busy(fs_t until) {
  if (until <= free_at_) return;
  on_wire_until_ = last_on_wire();
  free_at_ = kept_until_ = until;
}

void packet_port::set_way() {
  way_ = latency_ + transmit_latency_;
  way_time_ = to_sc_time(way_);
}

void packet_port::add_transmit_latency(fs_t added, site_id charged) {
  transmit_latency_ += added;
  starts_.set_front(charged);
  set_way();
}

bool packet_port::has_credits(const packet& candidate, fs_t now) {
  if (stretched_until_ > now && wait_for_tail(candidate.vc, now)) return false;
  credit_account& account = credits_[candidate.vc];
  account.collect(now);
  if (account.available >= candidate.wire_bytes || account.lets_start(candidate, now)) return true;
  refuse(candidate, now);
  return false;
}

// The packets of a virtual channel do not mix.
bool packet_port::wait_for_tail(int vc, fs_t now) {
  const fs_t tail = tails_[static_cast<std::size_t>(vc)];
  if (tail > now) retry_.at(tail);
  return tail > now;
}

void packet_port::refuse(const packet& refused, fs_t now) {
  credit_account& account = credits_[refused.vc];
  is_blocked_ = true;
  if (account.refused_at == fs_never) {
    account.refused_at = now;
    ++counters_.credit_stalls;
  }
  if (now >= free_at_) wire_trace_.set(waits_for_credits(), now);
  const fs_t next = account.start_of(refused);
  if (next != fs_never) retry_.at(next);
}

std::uint64_t packet_port::credits_to_come(int vc) const {
  return credits_[static_cast<std::size_t>(vc)].to_come();
}

fs_t packet_port::send(packet& sent, fs_t now, fs_t tail_ready) {
  assert(now >= free_at_);
  credit_account& account = credits_[sent.vc];
  const fs_t on_wire = rate_.duration(sent.wire_bytes);
  fs_t tail_out = std::max(now + on_wire, tail_ready);
  if (sent.train > 1) {
    tail_out = last_byte(sent, now, tail_ready);
    const bool is_short = account.available < sent.wire_bytes;
    if (is_short && account.refused_at == fs_never) ++counters_.credit_stalls;
  }
  account.available -= sent.wire_bytes;
  account.starved_since = std::min(account.refused_at, account.starved_since);
  if (account.refused_at == fs_never) account.starved_since = fs_never;
  account.refused_at = fs_never;
  if (sent.is_explained)
    explain_start(sent, now, tail_out);
  else
    has_sent_others_ = true;
  free_at_ = now + on_wire;
  if (tail_out > free_at_) {
    stretched_until_ = std::max(stretched_until_, tail_out);
    tails_[sent.vc] = tail_out;
  }
  last_start_ = now;
  counters_.packets += sent.train;
  counters_.bytes += sent.wire_bytes;
  if (has_payload(sent.kind)) counters_.payload += sent.payload_bytes;
  counters_.busy += on_wire;

  if (is_traced_) show(sent, now, free_at_);

  sent.head = now + way_;
  sent.tail = tail_out + way_;
  packet_phase phase = packet_phase::head;
  sc_core::sc_time delay = way_time_;
  if (!forward_) forward_ = transmit_->operator->();
  forward_->nb_transport_fw(sent, phase, delay);
  return tail_out;
}

inline void packet_port::explain_start(packet& sent, fs_t now, fs_t end) {
  const packet_start start{
      now, end, free_at_, credits_[sent.vc].starved_since, now + way_ - latency_, now + way_};
  starts_.explain(sent, start, std::exchange(has_sent_others_, false));
}

void packet_port::release(packet& leaving, fs_t when) {
  const fs_t now = now_fs();
  packet_phase phase = packet_phase::credit;
  sc_core::sc_time delay = when > now ? to_sc_time(when - now) : sc_core::sc_time();
  if (!backward_) backward_ = receive_->operator->();
  backward_->nb_transport_bw(leaving, phase, delay);
}

void packet_port::retry() {
  is_blocked_ = false;
  receiver_->credits_returned(*this);
}

tlm::tlm_sync_enum packet_port::nb_transport_fw(packet& p, packet_phase&, sc_core::sc_time&) {
  receiver_->receive(*this, p);
  return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum packet_port::nb_transport_bw(packet& p, packet_phase&, sc_core::sc_time& t) {
  const fs_t leaves = now_fs() + to_fs(t);
  const fs_t when = leaves + latency_;
  if (p.train == 1) {
    credits_[p.vc].push({when, p.wire_bytes, 1, 0});
    if (is_blocked_) retry_.at(when);
    return tlm::TLM_ACCEPTED;
  }
  credits_[p.vc].push({when, p.wire_bytes, p.train, leaves - std::min(leaves, p.head)});
  // Its first packets may have come, and it tells a waiting train when the rest does.
  if (is_blocked_) retry_.at(now_fs());
  return tlm::TLM_ACCEPTED;
}

// The packet plane has no blocking, debug or direct access.
void packet_port::b_transport(packet&, sc_core::sc_time&) {
  assert(false);
}
unsigned packet_port::transport_dbg(packet&) {
  return 0;
}
bool packet_port::get_direct_mem_ptr(packet&, tlm::tlm_dmi&) {
  return false;
}
void packet_port::invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) {}

}  // namespace heddle
