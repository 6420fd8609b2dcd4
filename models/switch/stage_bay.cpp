#include "models/switch/stage_bay.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/switch/switch.hpp"
#include "models/switch/voq_core.hpp"

namespace heddle {

stage_bay::stage_bay(packet_switch& owner, voq_core& core)
    : owner_(owner), core_(core), egress_rates_(static_cast<std::size_t>(owner.port_count())) {}

void stage_bay::check_ports(const stage_sheet& sheet) const {
  const bool is_in_pipes = sheet.place == stage_place::middle;
  const int count = is_in_pipes ? owner_.pipe_count() : owner_.port_count();
  for (const int each : sheet.at)
    if (each < 0 || each >= count)
      throw user_error(fmt::format("{} has {} {}, numbered from 0: there is no {} {} for a stage",
                                   owner_.path(), count, is_in_pipes ? "pipes" : "ports",
                                   is_in_pipes ? "pipe" : "port", each));
}

int stage_bay::add(stage& added) {
  constexpr std::size_t most_stages = 256;  // packet::emitted_by
  if (all_.size() == most_stages)
    throw user_error(fmt::format("{} takes {} stages at most", owner_.path(), most_stages));
  check_ports(added.sheet());
  all_.push_back(&added);
  if (added.endpoints().empty()) add_times(added.sheet());
  return static_cast<int>(all_.size()) - 1;
}

// Called before the fabric asks how long packets are under way and stay in the buffers. A stage of
// the middle holds packets of every port if it is in every pipe.
void stage_bay::add_times(const stage_sheet& sheet) {
  for (int port = 0; port < owner_.port_count(); ++port) {
    packet_port& at = owner_.port_at(port);
    if (sheet.place == stage_place::egress && sheet.sits_at(port))
      at.add_transmit_latency(sheet.latency, sheet.charged);
    const bool is_passed =
        sheet.place == stage_place::middle ? sheet.at.empty() : sheet.sits_at(port);
    if (sheet.place != stage_place::egress && is_passed) at.add_holding(sheet.latency);
  }
}

void stage_bay::start() {
  for (int number = 0; number < static_cast<int>(all_.size()); ++number) {
    stage& each = *all_[number];
    const std::vector<endpoint_id> endpoints = each.endpoints();
    for (const endpoint_id endpoint : endpoints) devices_.emplace_back(endpoint, &each);
    if (!endpoints.empty()) continue;  // what is addressed to it alone
    const stage_sheet sheet = each.sheet();
    places_[static_cast<std::size_t>(sheet.place)].push_back({&each, number});
    if (sheet.place != stage_place::egress) continue;
    for (int port = 0; port < owner_.port_count(); ++port) {
      if (!sheet.sits_at(port)) continue;
      bandwidth& slowest = egress_rates_[port];
      const std::uint64_t limit = slowest.bytes_per_second();  // 0: none, as everywhere
      const std::uint64_t rate = sheet.rate.bytes_per_second();
      if (rate != 0 && (limit == 0 || rate < limit)) slowest = sheet.rate;
    }
  }
  for (int port = 0; port < owner_.port_count(); ++port) {
    if (has(stage_place::ingress)) passed_.push_back(std::make_unique<passed>(*this, port));
    owner_.port_at(port).hand_to(*this);
  }
}

stage* stage_bay::device(endpoint_id endpoint) const {
  for (const auto& [own, device] : devices_)
    if (own == endpoint) return device;
  return nullptr;
}

bool stage_bay::intercept(stage_visit visit, packet& p, int except) const {
  const auto& here = at(visit.place);
  for (; visit.position < here.size(); ++visit.position)
    if (here[visit.position].number != except && here[visit.position].behind->intercept(visit, p))
      return true;
  return false;
}

// Asked when nothing is under way any more: packets in a buffer wait for an output, or a stage has
// them.
void stage_bay::add_kept(std::vector<waiting_packet>& all) const {
  for (int index = 0; index < owner_.port_count(); ++index) {
    const packet_port& port = owner_.port_at(index);
    if (!port.peer()) continue;
    for (int vc = 0; vc < all_vcs; ++vc) {
      if (vc >= port.vcs() && vc < max_vcs) continue;
      if (port.peer()->credits_to_come(vc) == port.buffer_bytes()) continue;
      const auto is_of_channel = [&](const waiting_packet& each) {
        return each.held == &port && each.held_vc == vc;
      };
      if (std::none_of(all.begin(), all.end(), is_of_channel)) all.push_back({&port, vc});
    }
  }
}

void stage_bay::receive(packet_port& at, packet& arrived) {
  stage_visit visit;
  visit.input = static_cast<std::uint16_t>(at.index());
  visit.first = arrived.head;
  if (arrived.is_inc)
    if (stage* addressed = device(arrived.destination))
      if (addressed->intercept(visit, arrived)) return;
  if (!intercept(visit, arrived)) core_.receive(at, arrived);
}

void stage_bay::credits_returned(packet_port& at) {
  core_.credits_returned(at);
}

void stage_bay::resume(stage_visit visit, packet& p) {
  if (visit.place == stage_place::egress)  // it is in no receive buffer: as if it were new
    return owner_.emit(at(visit.place)[visit.position].number, visit.output, p);
  ++visit.position;
  if (intercept(visit, p)) return;
  if (visit.place == stage_place::middle) return core_.queue(p, visit.input, visit.output);
  passed& behind = *passed_[visit.input];
  behind.waiting.push(p, visit.first + core_.forwarding());
  behind.due.at(behind.waiting.next_due());
}

stage_bay::passed::passed(stage_bay& owner, int index)
    : bay(owner), port(index), due(timed_call::to<passed, &passed::forward>(*this)) {}

void stage_bay::passed::forward() {
  const fs_t now = now_fs();
  while (waiting.is_due(now)) bay.core_.forward(waiting.pop(), port);
  if (!waiting.empty()) due.at(waiting.next_due());
}

}  // namespace heddle
