// Requests of accelerators and what is asked of the members. Answers: multicast_answers.cpp.
#include "models/inc/nvls/multicast_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/inc/nvls/multicast_tags.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(multicast_engine,
                     describe_unit<multicast_engine>("multicast_engine",
                                                     "NVLS-like multicast and reduction of "
                                                     "loads and stores, inside a switch"));

}  // namespace

std::vector<port_description> multicast_engine::port_descriptions() {
  return {{"switch", "in-network device", "the switch whose ports it uses"}};
}

multicast_engine::multicast_engine(const unit_context& context, const parameters& p)
    : unit(context),
      size_(p.size().bytes),
      forwarding_(p.forwarding().fs),
      reduction_latency_(p.pipeline() * p.cycle().fs),
      buffer_(static_cast<std::uint32_t>(p.buffer())),
      header_(static_cast<std::uint32_t>(p.header().bytes)),
      tag_prefix_(sim().service<multicast_tags>().next_prefix()),
      audit_(sim().service<register_audit_log>()),
      endpoint_(sim().service<fabric>().add_inc_endpoint(*this, p.base().value, size_)),
      region_(p.base().value, p.mapped().bytes == 0 ? size_ : p.mapped().bytes),
      switch_port_(*this, "switch", *this),
      answers_(timed_queue<answer>::to<multicast_engine, &multicast_engine::send_answers>(*this)) {
  if (p.mapped().bytes > size_)
    throw user_error(fmt::format("{}: mapped is larger than size", path()));
  if (buffer_ < sim().settings().train)
    throw user_error(
        fmt::format("{}: a reduction buffer of {} packets does not hold a train of {}: shorten the "
                    "train or enlarge `buffer`",
                    path(), buffer_, sim().settings().train));
  for (std::uint64_t i = 0; i < p.members(); ++i)
    region_.add_member(p.member_base().value + i * p.member_stride().bytes,
                       !(p.absent() >> i & 1U));
}

void multicast_engine::on_connected() {
  inc_host& host = switch_port_.host();
  region_.resolve(sim().service<fabric>(), host.inc_unit());
  const trace_scope scope(sim().trace(), path());
  for (int i = 0; i < host.inc_port_count(); ++i) {
    multicast_lane& lane =
        *lanes_.emplace_back(std::make_unique<multicast_lane>(*this, host.inc_port_at(i)));
    lane.buffer_trace = scope.vector(fmt::format("buffer_{}", i), 16);
    lane.activity_trace = scope.state<multicast_activity>(fmt::format("activity_{}", i),
                                                          {"IDLE", "MULTICAST", "REDUCE", "FULL"});
    lane.buffer_trace.set(0, 0);
    lane.activity_trace.set(multicast_activity::idle, 0);
  }
}

void multicast_engine::receive_inc(packet_port& at, packet& arrived) {
  if (is_response(arrived.kind)) return take_answer(at, arrived);
  const fs_t through_crossbar = arrived.head + forwarding_;
  if (arrived.is_explained) arrived.why.then(category::forwarding, place(), through_crossbar);
  multicast_lane& lane = *lanes_[at.index()];
  lane.arriving.push(arrived, through_crossbar);
  lane.due.at(through_crossbar);
}

multicast_lane::multicast_lane(multicast_engine& o, packet_port& p)
    : owner(o),
      port(p),
      due(timed_call::to<multicast_lane, &multicast_lane::take_requests>(*this)) {}

void multicast_lane::take_requests() {
  const fs_t now = now_fs();
  while (arriving.is_due(now)) owner.admit(*this, arriving.pop());
  if (!arriving.empty()) due.at(arriving.next_due());
}

// Loads and atomics share a virtual channel, so nothing overtakes a load that waits there.
void multicast_engine::admit(multicast_lane& from, packet& request) {
  if (request.kind == packet_kind::write_request) return perform(from, request);
  if (from.waiting.empty() && reserve(from, request)) return perform(from, request);
  ++counters_.buffer_stalls;
  from.waiting.push(request);
  show(from);
}

bool multicast_engine::reserve(multicast_lane& from, const packet& request) {
  if (request.kind != packet_kind::read_request) return true;
  if (from.buffered + request.train > buffer_) return false;
  from.buffered += request.train;
  counters_.peak_buffer.raise_to(from.buffered);
  return true;
}

void multicast_engine::admit_waiting(multicast_lane& from) {
  while (!from.waiting.empty() && reserve(from, from.waiting.front()))
    perform(from, from.waiting.pop());
}

void multicast_engine::perform(multicast_lane& from, packet& request) {
  if (!region_.accepts(request)) return refuse(from, request);
  multicast_access& access = accesses_.take(region_.members().size());
  access.request = &request;
  if (request.is_explained) request.why.then(category::queueing, place(), now_fs());
  access.from = &from;
  access.missing = region_.present();
  const bool has_data = request.kind != packet_kind::read_request;
  access.unsent = has_data ? static_cast<std::uint32_t>(__builtin_popcountll(access.missing)) : 0;
  if (has_data)
    ++from.multicasts;
  else
    from.port.release(request, std::max(now_fs(), request.tail + forwarding_));
  for (std::uint64_t left = access.missing; left != 0; left &= left - 1)
    ask(region_.members()[static_cast<std::size_t>(__builtin_ctzll(left))], access, request);
  show(from);
}

void multicast_engine::ask(const multicast_member& member, const multicast_access& access,
                           const packet& request) {
  packet& copy = *take_packet();
  copy.kind = request.kind;
  copy.wire_bytes = request.wire_bytes;
  copy.payload_bytes = request.payload_bytes;
  copy.train = request.train;
  copy.source = endpoint_;
  copy.destination = member.endpoint;
  copy.vc = request.vc;
  copy.is_inc = true;
  copy.carries_data = request.carries_data;
  copy.tag = tag_prefix_ | access.slot;
  copy.address = member.base + region_.offset(request);
  copy.tail = request.tail + forwarding_;
  if (request.is_explained) copy.explain(request.why);
  multicast_lane& out = *lanes_[member.port];
  if (request.kind == packet_kind::write_request) {
    copy.payload = request.payload;
    out.writes_out.push_back(&accesses_.at(access.slot));
  } else if (request.kind == packet_kind::atomic_request) {
    // Its target writes the former word there, so it cannot be shared.
    copy.payload = payload_slice::allocate(request.payload_bytes);
    std::memcpy(copy.payload.data(), request.payload.data(), request.payload_bytes);
    out.atomics_out.push_back(&accesses_.at(access.slot));
  }
  switch_port_.host().inc_transmit(member.port, copy);
}

void multicast_engine::refuse(multicast_lane& from, packet& request) {
  record(request, from, region_.refusal(request));
  from.port.release(request, std::max(now_fs(), request.tail + forwarding_));
  const bool has_payload = request.kind != packet_kind::write_request;
  request.is_error = true;
  request.carries_data = false;
  request.payload.reset();
  const std::uint32_t payload = has_payload ? request.payload_bytes : 0;
  request.wire_bytes = request.train * header_ + payload;
  give_answer(from, request, now_fs(), request.tail + forwarding_);
}

void multicast_engine::record(const packet& request, const multicast_lane& from,
                              const std::string& reason) {
  ++counters_.errors;
  register_audit entry;
  entry.time = now_fs();
  entry.path = path();
  entry.offset = region_.offset(request);
  entry.command =
      request.kind == packet_kind::write_request ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
  entry.reason = reason;
  entry.initiator = from.port.peer()->path();
  audit_.add(std::move(entry));
}

void multicast_engine::inc_transmitted(int port, packet_kind kind, std::uint32_t packets) {
  multicast_lane& through = *lanes_[port];
  if (kind == packet_kind::write_request) return copy_left(through, through.writes_out);
  if (kind == packet_kind::atomic_request) return copy_left(through, through.atomics_out);
  if (kind != packet_kind::read_response) return;
  through.buffered -= packets;
  admit_waiting(through);
  show(through);
}

// The receive buffer of a request is free when the last byte of its last copy is out.
void multicast_engine::copy_left(multicast_lane& through, std::deque<multicast_access*>& queue) {
  multicast_access& access = *queue.front();
  queue.pop_front();
  access.copies_out = std::max(access.copies_out, through.port.free_at());
  if (--access.unsent > 0) return;
  access.from->port.release(*access.request, access.copies_out);
  --access.from->multicasts;
  show(*access.from);
}

void multicast_engine::show(const multicast_lane& lane) const {
  if (!lane.activity_trace.enabled() && !lane.buffer_trace.enabled()) return;
  const fs_t now = now_fs();
  lane.buffer_trace.set(lane.buffered, now);
  lane.activity_trace.set(!lane.waiting.empty() ? multicast_activity::full
                          : lane.buffered > 0   ? multicast_activity::reduce
                          : lane.multicasts > 0 ? multicast_activity::multicast
                                                : multicast_activity::idle,
                          now);
}

std::string multicast_engine::waiting_for() const {
  std::string text;
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    if (!lanes_[i]->waiting.empty()) add(fmt::format("port {}: a free reduction buffer", i));
  std::uint64_t missing = 0;
  for (std::uint32_t slot = 0; slot < accesses_.size(); ++slot)
    if (accesses_.at(slot).request) missing |= accesses_.at(slot).missing;
  for (std::size_t i = 0; i < region_.members().size(); ++i)
    if (missing >> i & 1U)
      add(fmt::format("answers of member {} at {}", i,
                      lanes_[region_.members()[i].port]->port.peer()->path()));
  return text;
}

}  // namespace heddle
