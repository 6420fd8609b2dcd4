// Packets that arrive are taken apart, one PR a cycle; what the units send is put together.
#include <algorithm>

#include "models/nic/rig/rig.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/packet/vc_partition.hpp"

namespace heddle {

void rig::receive(packet_port&, packet& arrived) {
  arriving_.insert(arrived, arrived.tail);
  arrival_.at(arriving_.next_due());
}

void rig::arrive() {
  const fs_t now = now_fs();
  while (arriving_.is_due(now)) {
    packet& p = arriving_.pop();
    ++arrived_;
    if (arrived_ == lose_) {
      ++counters_.lost_packets;
      port_.release(p, now);
      give_back(&p);
      continue;
    }
    counters_.received_bytes += p.wire_bytes;
    ++counters_.received_packets;
    lane& to = lanes_[is_response(p.kind)];
    const bool was_empty = to.packets.empty();
    to.packets.push(p);
    ++to.length;
    arrived_trace_.set(lanes_[0].length + lanes_[1].length, now);
    if (was_empty) take_apart(to);
  }
  if (!arriving_.empty()) arrival_.at(arriving_.next_due());
}

void rig::take_apart_all() {
  for (lane& each : lanes_)
    if (!each.packets.empty()) take_apart(each);
}

// The processor may fetch what the units will read of the PRs.
void rig::prefetch(const gather_view& view, std::uint32_t from) const {
  if (!view.header().is_response()) return;
  for (std::uint32_t i = from; i < view.count(); ++i) {
    const property_request pr = view.request(i);
    if (pr.tid < clients_of_.size()) clients_of_[pr.tid]->prefetch(pr);
  }
}

// Until a unit has no room for the next PR: the rest stays in the receive buffer. A PR
// that makes its unit fail leads to another call, while this one goes on with the next PR.
void rig::take_apart(lane& from) {
  if (from.is_taken_apart) return;
  from.is_taken_apart = true;
  take_apart_until_full(from);
  from.is_taken_apart = false;
}

void rig::take_apart_until_full(lane& from) {
  const fs_t now = now_fs();
  while (!from.packets.empty()) {
    packet& p = from.packets.front();
    const gather_view view(p);
    prefetch(view, from.next);
    while (from.next < view.count()) {
      const fs_t at = std::max(now, takes_apart_at_);
      if (!give(view, from.next, at)) return;
      takes_apart_at_ = at + limits.cycle;
      ++from.next;
      ++counters_.received_requests;
    }
    from.packets.pop();
    from.next = 0;
    --from.length;
    arrived_trace_.set(lanes_[0].length + lanes_[1].length, now);
    port_.release(p, now);
    give_back(&p);
  }
}

bool rig::give(const gather_view& view, std::uint32_t number, fs_t when) {
  const property_request pr = view.request(number);
  if (!view.header().is_response()) return give_to_server(pr, when);
  if (pr.tid >= clients_of_.size()) {
    ++counters_.orphans;
    return true;
  }
  rig_client& client = *clients_of_[pr.tid];
  const std::uint64_t orphans = client.orphans();
  if (!client.take(pr, view.property_slice(number), view.header().length, when)) return false;
  const std::uint64_t more = client.orphans() - orphans;
  counters_.orphans += more;
  if (more > 0) {
    const auto bank = regs_.unit[pr.tid];
    bank.orphans.add(1);
  } else {
    counters_.property_bytes += view.header().length;
  }
  return true;
}

bool rig::give_to_server(const property_request& pr, fs_t when) {
  const int units = static_cast<int>(servers_.size());
  for (int tries = 0; tries < units; ++tries) {
    const int at = next_server_;
    next_server_ = at + 1 == units ? 0 : at + 1;
    rig_server& server = *servers_[static_cast<std::size_t>(at)];
    if (is_client(at) || !server.has_room()) continue;
    server.take(pr, when);
    return true;
  }
  return false;
}

fs_t rig::send(bool is_response, std::uint32_t node, const property_request& pr,
               const std::byte* bytes, std::uint32_t length, fs_t when) {
  gather_flow flow;
  flow.queue = classes * node + (is_response ? 1 : 0);
  flow.node = node;
  flow.kind = is_response ? gather_response : gather_request;
  flow.source = endpoint_;
  flow.destination = directory_.endpoint_of(node);
  flow.vc = vc_partition(port_.vcs()).first(flow.kind);
  if (is_response && length > 0) ++counters_.served;
  if (!is_response) ++asked_[node];
  return concatenator_.push(flow, pr, bytes, length, when);
}

// Units that lag behind catch up, so that their PRs leave in the packets in which they belong.
void rig::before_expiry() {
  if (limits.quantum == 1) return;
  for (std::uint32_t rest = clients_; rest != 0; rest &= rest - 1)
    clients_of_[static_cast<std::size_t>(__builtin_ctz(rest))]->run();
}

void rig::emitted(packet& p, std::uint16_t) {
  const bool is_answer = is_response(p.kind);
  ++(is_answer ? counters_.response_packets : counters_.request_packets);
  counters_.sent_bytes += p.wire_bytes;
  waiting_bytes_[is_answer] += p.wire_bytes;
  waiting_.push(p);
  waiting_trace_.set(waiting_bytes_[0] + waiting_bytes_[1], now_fs());
  transmit();
}

// Sends what the port takes now. A packet that waits for credits is sent when they return.
void rig::transmit() {
  const fs_t now = now_fs();
  while (!waiting_.empty()) {
    if (port_.free_at() > now) return wake_.at(port_.free_at());
    packet* next = waiting_.pop_sendable(port_, now);
    if (!next) return;
    const bool is_answer = is_response(next->kind);
    waiting_bytes_[is_answer] -= next->wire_bytes;
    waiting_trace_.set(waiting_bytes_[0] + waiting_bytes_[1], now);
    port_.send(*next, now, next->tail);
    make_room(is_answer);
  }
}

// Units that found the transmit buffer full go on, in their order.
void rig::make_room(bool is_answer) {
  if (!has_refused_[is_answer] || waiting_bytes_[is_answer] >= tx_limit_) return;
  has_refused_[is_answer] = false;
  if (is_answer) {
    for (const auto& each : servers_)
      if (each->waits_for_transmit_buffer()) each->answer_waiting();
    if (!lanes_[0].packets.empty()) take_apart(lanes_[0]);
  } else {
    for (const auto& each : clients_of_)
      if (each->waits_for_transmit_buffer()) each->end_wait_for_transmit_buffer();
  }
}

}  // namespace heddle
