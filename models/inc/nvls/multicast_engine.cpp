// Requests of accelerators and what is asked of the members. Answers: multicast_answers.cpp.
#include "models/inc/nvls/multicast_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "platform/unit/simulation.hpp"
#include "transactors/multicast/multicast_tags.hpp"
#include "transactors/packet/packet_response.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t absent_bits = 64;  // of the parameter

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
      speedup_(p.speedup()),
      buffer_(static_cast<std::uint32_t>(p.buffer())),
      format_(p.format()),
      tag_prefix_(sim().service<multicast_tags>().add(*this)),
      audit_(sim().service<register_audit_log>()),
      endpoint_(sim().service<fabric>().add_inc_endpoint(*this, p.base().value, size_)),
      region_(p.base().value, p.mapped().bytes == 0 ? size_ : p.mapped().bytes,
              static_cast<int>(p.members())),
      switch_port_(*this, "switch", *this),
      answers_(timed_queue<answer>::to<multicast_engine, &multicast_engine::send_answers>(*this)) {
  if (p.mapped().bytes > size_)
    throw user_error(fmt::format("{}: mapped is larger than size", path()));
  if (buffer_ < sim().settings().train)
    throw user_error(
        fmt::format("{}: a reduction buffer of {} packets does not hold a train of {}: shorten the "
                    "train or enlarge `buffer`",
                    path(), buffer_, sim().settings().train));
  for (std::uint64_t i = 0; i < p.members(); ++i) {
    const bool is_present = i >= absent_bits || !(p.absent() >> i & 1U);
    region_.add_member(p.member_base().value + i * p.member_stride().bytes, is_present);
    if (is_present) ++sources_;
  }
}

void multicast_engine::on_connected() {
  region_.resolve(sim().service<fabric>(), switch_port_.host().stage_unit());
  const trace_scope scope(sim().trace(), path());
  for (int i = 0; i < switch_port_.port_count(); ++i) {
    multicast_side& side = *sides_.emplace_back(std::make_unique<multicast_side>(
        *this, switch_port_.port_at(i), stage_timing{forwarding_, {}, false}));
    accesses_.add_group({region_.present(), buffer_});
    side.buffer_trace = scope.vector(fmt::format("buffer_{}", i), 16);
    side.activity_trace = scope.state<multicast_activity>(fmt::format("activity_{}", i),
                                                          {"IDLE", "MULTICAST", "REDUCE", "FULL"});
    side.buffer_trace.set(0, 0);
    side.activity_trace.set(multicast_activity::idle, 0);
  }
}

stage_sheet multicast_engine::sheet() const {
  stage_sheet result;
  result.latency = forwarding_;
  result.charged = site();
  return result;
}

// Answers go to the reduction buffer, where their place is; requests go through the crossbar.
bool multicast_engine::intercept(const stage_visit& visit, packet& arrived) {
  multicast_side& side = *sides_[visit.input];
  if (is_response(arrived.kind))
    take_answer(side.port, arrived);
  else
    side.arriving.enter(visit, arrived);
  return true;
}

void multicast_engine::leave(int port, const stage_visit&, packet& request) {
  admit(*sides_[port], request);
}

multicast_side::multicast_side(multicast_engine& owner, packet_port& p,
                               const stage_timing& crossbar)
    : port(p), arriving(owner, p.index(), crossbar, owner.site()) {}

// Loads and atomics share a virtual channel, so nothing overtakes a load that waits there.
void multicast_engine::admit(multicast_side& from, packet& request) {
  if (request.kind == packet_kind::write_request) return perform(from, request);
  if (from.waiting.empty() && reserve(from, request)) return perform(from, request);
  ++counters_.buffer_stalls;
  from.waiting.push(request);
  show(from);
}

bool multicast_engine::reserve(multicast_side& from, const packet& request) {
  if (request.kind != packet_kind::read_request) return true;
  const int buffer = from.port.index();
  if (!accesses_.fits(buffer, request.train)) return false;
  accesses_.reserve(buffer, request.train);
  counters_.peak_buffer.raise_to(accesses_.used(buffer));
  return true;
}

void multicast_engine::admit_waiting(multicast_side& from) {
  while (!from.waiting.empty() && reserve(from, from.waiting.front()))
    perform(from, from.waiting.pop());
}

void multicast_engine::perform(multicast_side& from, packet& request) {
  if (!region_.accepts(request)) return refuse(from, request);
  multicast_entry& access = accesses_.open(from.port.index());
  access.request = &request;
  if (request.is_explained) request.why.then(category::queueing, site(), now_fs());
  access.from = &from;
  const bool has_data = request.kind != packet_kind::read_request;
  access.unsent = has_data ? access.owed : 0;
  if (has_data)
    ++from.multicasts;
  else
    from.port.release(request, std::max(now_fs(), request.tail));
  region_.present().for_each([&](int member) {
    switch_port_.emit_copy(region_.members()[static_cast<std::size_t>(member)].port, request,
                           {access.pool_index, static_cast<std::uint16_t>(member)});
  });
  show(from);
}

// The request to one member, made when it leaves. The order's number is that of the access, its
// part is the number of the member.
packet& multicast_engine::copy(const packet& request, const copy_order& order) {
  const multicast_member& member = region_.members()[order.part];
  leaving_ = &accesses_.at(order.number);
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
  copy.step = request.step;
  copy.tag = tag_prefix_ | order.number;
  copy.address = member.base + region_.offset(request);
  copy.tail = request.tail;
  if (request.is_explained) copy.explain(request.why);
  if (request.kind == packet_kind::write_request) {
    copy.payload = request.payload;
  } else if (request.kind == packet_kind::atomic_request) {
    // Its target writes the former word there, so it cannot be shared.
    copy.payload = payload_slice::allocate(request.payload_bytes);
    std::memcpy(copy.payload.data(), request.payload.data(), request.payload_bytes);
  }
  return copy;
}

void multicast_engine::refuse(multicast_side& from, packet& request) {
  record(request, from, region_.refusal(request));
  from.port.release(request, std::max(now_fs(), request.tail));
  turn_into_refusal(request, response_to(request.kind), format_);
  give_answer(from, request, now_fs(), request.tail);
}

void multicast_engine::record(const packet& request, const multicast_side& from,
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

void multicast_engine::transmitted(int port, packet_kind kind, std::uint32_t packets) {
  multicast_side& through = *sides_[port];
  if (kind == packet_kind::write_request || kind == packet_kind::atomic_request)
    return copy_left(through, *leaving_);
  if (kind != packet_kind::read_response) return;
  accesses_.free_buffer(port, packets);
  admit_waiting(through);
  show(through);
}

// The receive buffer of a request is free when the last byte of its last copy is out.
void multicast_engine::copy_left(multicast_side& through, multicast_entry& access) {
  access.copies_out = std::max(access.copies_out, through.port.free_at());
  if (--access.unsent > 0) return;
  access.from->port.release(*access.request, access.copies_out);
  --access.from->multicasts;
  show(*access.from);
}

void multicast_engine::show(const multicast_side& side) const {
  if (!side.activity_trace.enabled() && !side.buffer_trace.enabled()) return;
  const fs_t now = now_fs();
  const std::uint64_t buffered = accesses_.used(side.port.index());
  side.buffer_trace.set(buffered, now);
  side.activity_trace.set(!side.waiting.empty() ? multicast_activity::full
                          : buffered > 0        ? multicast_activity::reduce
                          : side.multicasts > 0 ? multicast_activity::multicast
                                                : multicast_activity::idle,
                          now);
}

std::string multicast_engine::waiting_for() const {
  std::string text;
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  for (std::size_t i = 0; i < sides_.size(); ++i)
    if (!sides_[i]->waiting.empty()) add(fmt::format("port {}: a free reduction buffer", i));
  port_set missing = region_.present();
  missing.clear();
  accesses_.for_each_open([&](const multicast_entry& each) { missing.merge(each.missing); });
  missing.for_each([&](int member) {
    const int port = region_.members()[static_cast<std::size_t>(member)].port;
    add(fmt::format("answers of member {} at {}", member, sides_[port]->port.peer()->path()));
  });
  return text;
}

}  // namespace heddle
