#include "models/inc/isa/isa_transport.hpp"

#include <fmt/format.h>

#include <cstring>

#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/packet/packet_response.hpp"
#include "transactors/packet/packet_wires.hpp"
#include "transactors/packet/train_check.hpp"

namespace heddle {

isa_transport::side::side(isa_transport& transport, int index)
    : port(index),
      arriving(transport, index, {transport.forwarding_, {}, true}, transport.owner_.site()) {}

isa_transport::isa_transport(unit& owner, isa_transport_client& client, const isa_parameters& p)
    : owner_(owner),
      client_(client),
      format_(p.format()),
      train_(owner.sim().settings().train),
      carries_data_(owner.sim().settings().carries_data),
      forwarding_(p.forwarding().fs),
      fabric_(owner.sim().service<fabric>()),
      endpoint_(owner.sim().service<fabric>().add_inc_endpoint(owner, p.base().value,
                                                               isa_regs::block_size)) {
  owner.sim().service<link_directory>().endpoints[&owner] = wires_of_full_packets(format_);
}

void isa_transport::start(const stage_port& at) {
  switch_ = &at;
  if (at.port_count() > most_members)
    throw user_error(fmt::format(
        "{}: the switch has {} ports, but the registers name members by a word of {} bits: use "
        "several switches",
        owner_.path(), at.port_count(), most_members));
  for (int i = 0; i < at.port_count(); ++i) {
    sides_.push_back(std::make_unique<side>(*this, i));
    find_member(*sides_.back());
    const packet_port& port = at.port_at(i);
    const std::uint32_t largest = format_.wire_bytes(piece_bytes(), train_);
    if (port.is_bound()) check_train_fits(owner_.path(), train_, largest, port);
  }
}

void isa_transport::find_member(side& at) {
  const packet_port& port = switch_->port_at(at.port);
  at.name = fmt::format("port {}", at.port);
  if (!port.is_bound()) return;
  const unit& peer = port.peer()->owner();
  for (const address_window& each : fabric_.windows()) {
    if (fabric_.is_inc(each.endpoint) || !fabric_.is_at(each.endpoint, peer)) continue;
    at.window = each;
    at.name = peer.path().substr(0, peer.path().rfind('.'));  // what the network interface is in
    present_ |= mask_of(at.port);
  }
}

std::string isa_transport::name_of(int member) const {
  return sides_[member]->name;
}

std::string isa_transport::names_of(member_mask members) const {
  std::string text;
  for_each_member(members, [&](int member) {
    if (!text.empty()) text += ", ";
    text += member < static_cast<int>(sides_.size()) ? sides_[member]->name
                                                     : fmt::format("member {}", member);
  });
  return text;
}

bool isa_transport::maps(int member, std::uint64_t address, std::uint64_t bytes) const {
  if (member >= static_cast<int>(sides_.size())) return false;
  const address_window& window = sides_[member]->window;
  return address >= window.base && address - window.base < window.size &&
         bytes <= window.size - (address - window.base);
}

packet& isa_transport::make_request(int member, packet_kind kind, std::uint64_t address,
                                    std::uint32_t bytes) {
  packet& p = *take_packet();
  p.kind = kind;
  p.vc = inc_vc_of(kind);
  p.is_inc = true;
  p.source = endpoint_;
  p.destination = sides_[member]->window.endpoint;
  p.address = address;
  p.payload_bytes = bytes;
  p.train = static_cast<std::uint16_t>(format_.packets(bytes));
  p.tail = now_fs();
  p.explain(running_cause::copy());
  return p;
}

void isa_transport::read(int member, std::uint64_t address, std::uint32_t bytes, std::uint32_t tag,
                         std::uint16_t step) {
  packet& p = make_request(member, packet_kind::read_request, address, bytes);
  p.carries_data = carries_data_;
  p.step = step;
  p.wire_bytes = p.train * format_.header;
  p.tag = tag;
  switch_->emit(member, p);
}

void isa_transport::write(int member, std::uint64_t address, const payload_slice& bytes,
                          std::uint32_t count, std::uint32_t tag, fs_t ready, std::uint16_t step) {
  packet& p = make_request(member, packet_kind::write_request, address, count);
  p.payload = bytes;
  p.carries_data = static_cast<bool>(bytes);
  p.step = step;
  p.wire_bytes = format_.wire_bytes(count, p.train);
  p.tag = tag;
  p.tail = ready;
  switch_->emit(member, p);
}

void isa_transport::add(int member, std::uint64_t address, std::uint64_t operand,
                        std::uint32_t tag) {
  packet& p = make_request(member, packet_kind::atomic_request, address, sizeof operand);
  p.payload = payload_slice::allocate(sizeof operand);
  std::memcpy(p.payload.data(), &operand, sizeof operand);
  p.wire_bytes = format_.wire_bytes(sizeof operand, p.train);
  p.tag = tag;
  switch_->emit(member, p);
}

void isa_transport::respond(int port, packet& request) {
  turn_into_response(request, format_);
  request.tail = now_fs();
  switch_->emit(port, request);
}

stage_sheet isa_transport::sheet() const {
  stage_sheet result;
  result.latency = forwarding_;
  result.charged = owner_.site();
  return result;
}

bool isa_transport::intercept(const stage_visit& visit, packet& arrived) {
  switch_->port_at(visit.input).explain_tail(arrived);
  const fs_t last = visit.first + (arrived.tail - arrived.head);
  if (arrived.train > 1) switch_->release(visit, arrived, last + forwarding_);  // as they come
  sides_[visit.input]->arriving.enter(visit, arrived);
  return true;
}

void isa_transport::leave(int port, const stage_visit& visit, packet& p) {
  if (p.train == 1) switch_->release(visit, p, now_fs());
  cause why = p.why;
  const running_cause handling(why);
  if (!is_response(p.kind)) return client_.take_request(port, p);
  if (p.kind == packet_kind::read_response)
    client_.take_read_response(port, p);
  else
    client_.take_write_response(port, p);
  give_back(&p);
}

void isa_transport::transmitted(int port, packet_kind kind, std::uint32_t packets) {
  if (kind != packet_kind::write_request) return;
  sides_[port]->write_backlog -= packets;
  client_.writes_left(port);
}

}  // namespace heddle
