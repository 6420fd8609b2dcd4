#include "transactors/packetizer/packetizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "platform/services/link_directory.hpp"
#include "platform/text/counted.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/memory/access.hpp"
#include "transactors/packet/packet_response.hpp"
#include "transactors/packet/packet_wires.hpp"
#include "transactors/packet/train_check.hpp"
#include "transactors/packet/vc_partition.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(packetizer, describe_unit<packetizer>("packetizer",
                                                           "memory plane to packet "
                                                           "plane and back"));

}  // namespace

std::vector<port_description> packetizer::port_descriptions() {
  return {{"in", "memory target", "accesses to far addresses, any number of initiators"},
          {"out", "memory initiator", "performs what arrives; may stay open"},
          {"port[ports]", "packet", "one link a plane"}};
}

packetizer::side::side(packetizer& o, int index)
    : owner(o),
      wake(timed_call::to<side, &side::transmit>(*this)),
      room(timed_call::to<side, &side::issue>(*this)),
      arrival(timed_call::to<side, &side::arrive, &side::fetch>(*this)),
      answer(timed_call::to<side, &side::reply, &side::fetch_answer>(*this)),
      prepared(timed_call::to<side, &side::send_prepared>(*this)),
      performable(timed_call::to<side, &side::serve_received>(*this)),
      port(o, o, fmt::format("port[{}]", index), index) {}

packetizer::packetizer(const unit_context& context, const parameters& p)
    : unit(context),
      format_(p.format()),
      interleave_(p.interleave().bytes),
      outstanding_limit_(static_cast<std::uint32_t>(p.outstanding())),
      queue_limit_(static_cast<std::uint32_t>(p.queue())),
      send_overhead_(p.send_overhead().fs),
      receive_overhead_(p.receive_overhead().fs),
      train_(std::min(sim().settings().train, outstanding_limit_)),
      size_(p.size().bytes),
      fabric_(sim().service<fabric>()),
      // A core posts stores to one word after each other: they may not overtake each other. Whoever
      // relies on more than that waits for responses.
      endpoint_(
          fabric_.add_endpoint(*this, p.base().value, p.size().bytes, packet_order::by_address)),
      packet_latency_(sim().service<latency_book>().of("packet")),
      access_latency_(sim().service<latency_book>().of("access")),
      in_("in"),
      out_("out", local_requester::calls::to<packetizer, &packetizer::answer>(*this)),
      in_port_(*this, "in", in_, true),
      out_port_(*this, "out", out_, p.size().bytes == 0),
      delayed_(timed_queue<fabric_access*>::to<packetizer, &packetizer::begin_delayed>(*this)),
      no_data_(sim().service<no_data>()) {
  in_.register_b_transport(this, &packetizer::b_transport);
  in_.register_nb_transport_fw(this, &packetizer::nb_transport_fw);
  in_.register_transport_dbg(this, &packetizer::transport_dbg);
  sim().service<packetizer_directory>().by_endpoint[endpoint_] = this;
  fabric_.expect_packets_of(train_ * format_.wire_bytes(format_.mtu, 1));
  for (int i = 0; i < static_cast<int>(p.ports()); ++i)
    sides_.push_back(std::make_unique<side>(*this, i));
  outstanding_trace_ = trace_scope(sim().trace(), path()).vector("outstanding", 32);
  outstanding_trace_.set(0, 0);
}

void packetizer::on_connected() {
  if (!out_port_.is_bound()) {
    const building_inside owning(*this);
    absent_ = std::make_unique<absent_target>();
    out_.bind(absent_->socket());
  }
  routes_ = &fabric_.routes(*this);
  sim().service<network_registers>().behind[path()] = [this] { return registers_behind(); };
  state_wires();
  for (const auto& each : sides_)
    if (each->port.is_bound()) each->port.trace_wire();
  const std::uint32_t largest = train_ * format_.wire_bytes(format_.mtu, 1) + fabric_.word_bytes();
  const packet_port* tightest = fabric_.smallest_buffer();
  if (tightest) check_train_fits(path(), train_, largest, *tightest);
}

void packetizer::state_wires() {
  if (fabric_.windows().empty() || size_ == 0) return;
  endpoint_wires wires = wires_of_full_packets(format_);
  for (const auto& each : sides_)
    if (each->port.is_bound())
      wires.bytes_per_second += static_cast<double>(each->port.rate().bytes_per_second());
  sim().service<link_directory>().endpoints[this] = wires;
}

// Addresses of this endpoint are for others: an own access to them does not go out and come back.
bool packetizer::reaches(endpoint_id destination) const {
  return destination != endpoint_ && routes_->reaches(destination);
}

packetizer::side& packetizer::side_towards(endpoint_id destination, std::uint64_t address) {
  return *sides_[static_cast<std::size_t>(routes_->port_for(destination, address / interleave_))];
}

void packetizer::enqueue(side& to, packet& p) {
  to.waiting.push(p);
  transmit(to);
}

void packetizer::transmit(side& from) {
  const fs_t now = now_fs();
  if (from.waiting.empty()) return;
  if (from.port.free_at() > now) return from.wake.at(from.port.free_at());
  if (packet* next = from.waiting.pop_sendable(from.port, now)) {
    const bool is_request = !is_response(next->kind);
    (is_request ? counters_.requests : counters_.responses) += next->train;
    const bool is_explained = next->is_explained;
    const std::uint32_t packets = next->train;
    if (entering_.through == &from) note_start(*next);
    const fs_t end = from.port.send(*next, now, next->tail);
    if (packets > 1 && is_request) from.leaving = {now, end, packets};
    if (is_explained && is_request) started_ = &from;
    if (!from.waiting.empty()) from.wake.at(from.port.free_at());
    if (!pending_.empty()) issue_pending();
  } else if (train_ > 1 && !pending_.empty()) {
    issue_pending();  // the packets of the train in front have left the queue
  }
}

void packetizer::credits_returned(packet_port& at) {
  transmit(*sides_[at.index()]);
}

void packetizer::receive(packet_port& at, packet& arrived) {
  side& through = *sides_[at.index()];
  through.arriving.insert(arrived, arrived.tail,
                          {is_response(arrived.kind) ? arrived.tag : no_tag});
  through.arrival.at(arrived.tail);
  if (arrived.train > 1) at.release(arrived, arrived.tail);  // from its first packet on
}

// Prefetches the packet that arrives next and, of a response, what it is about.
void packetizer::fetch_next(const side& at) const {
  if (at.arriving.empty()) return;
  at.arriving.fetch_next_whole();
  const std::uint32_t tag = at.arriving.next_about().tag;
  if (tag != no_tag) tags_.prefetch(tag);
}

void packetizer::arrive(side& at) {
  const fs_t now = now_fs();
  while (at.arriving.is_due(now)) {
    packet& p = at.arriving.pop_whole();
    if (p.train == 1) at.port.release(p, now);
    at.port.explain_tail(p);
    note_latency(p);
    if (is_response(p.kind)) {
      take_response(p);
    } else if (receive_overhead_ == 0) {
      serve(at, p);
    } else {
      at.received.push(p, now + receive_overhead_);
      at.performable.at(at.received.next_due());
    }
  }
  if (!at.arriving.empty()) at.arrival.at(at.arriving.next_due());
}

void packetizer::serve_received(side& at) {
  while (at.received.is_due(now_fs())) {
    packet& request = at.received.pop();
    request.why.then(category::firmware, site(), now_fs());
    serve(at, request);
  }
  if (!at.received.empty()) at.performable.at(at.received.next_due());
}

// Lets a request wait for the overhead of the endpoint before it may wait for the port.
void packetizer::prepare(side& to, packet& request) {
  to.preparing.push(request, now_fs() + send_overhead_);
  to.preparing_packets += request.train;
  to.prepared.at(to.preparing.next_due());
}

void packetizer::send_prepared(side& to) {
  while (to.preparing.is_due(now_fs())) {
    packet& request = to.preparing.pop();
    to.preparing_packets -= request.train;
    request.why.then(category::firmware, site(), now_fs());
    to.waiting.push(request);
  }
  if (!to.preparing.empty()) to.prepared.at(to.preparing.next_due());
  transmit(to);
}

// Devices in the network do not say when a packet of theirs began: a response of theirs has the
// instant of the request that it was.
void packetizer::note_latency(const packet& arrived) {
  if (!arrived.is_inc && arrived.created > 0)
    packet_latency_.note(now_fs() - arrived.created, arrived.train);
}

// Performs a request on the memory plane; the target may answer at once or later.
void packetizer::serve(side& at, packet& request) {
  const running_cause performing(request.why);
  local_requester::access& access = out_.take();
  access.context = {&at, &request, now_fs(), {}};
  if (request.kind == packet_kind::atomic_request)
    aim_atomic(access, request);
  else
    aim(access, request);
  out_.send(access);
}

// The word behind the data that was written, if there is one. Where the data failed it stays.
bool packetizer::perform_word(local_requester::access& performed, fs_t delay) {
  packet& request = *performed.context.request;
  if (!request.header || !request.header.as<word_header>()) return false;
  const word_behind word = request.header.as<word_header>()->word;
  request.wire_bytes -= request.header.wire_bytes();
  request.header.reset();
  if (!performed.is_response_ok()) return false;
  const running_cause writing(request.why);
  local_requester::access& access = out_.take();
  access.context = {performed.context.at, &request, now_fs(), word};
  set_access(access, tlm::TLM_WRITE_COMMAND, word.address, &access.context.word.value, word.bytes);
  access.bulk.is_carried = true;
  out_.send(access, delay);
  return true;
}

void packetizer::answer(local_requester::access& performed, fs_t delay) {
  side& at = *performed.context.at;
  packet& request = *performed.context.request;
  const fs_t now = now_fs();
  const fs_t done = now + delay;
  const bool is_late = performed.context.begun != now;  // then nobody has explained it
  if (is_late) request.why.then(category::memory, site(), done);
  if (perform_word(performed, delay)) return;
  const bool is_atomic = request.kind == packet_kind::atomic_request;
  request.is_error = !performed.is_response_ok() || (is_atomic && !performed.atomic.is_performed);
  if (performed.is_read()) request.payload = performed.bulk.slice;
  counters_.served += request.train;

  const fs_t asked_over = others_on_wire(at, request);
  packet& response = request;
  turn_into_response(response, format_);
  if (!response.is_inc)
    response.vc = vc_partition(at.port.vcs()).of_flow(response.kind, response.destination);
  // Packets of a train are answered one by one: those before the last by as much earlier as they
  // were asked for, and no faster than the wire takes them.
  const fs_t others = std::min(asked_over, others_on_wire(at, response));
  const bool is_first_late = done <= now + others;
  response.head = is_first_late ? now : done - others;
  response.tail = done;
  if (response.bytes_to_tail() < response.wire_bytes) {
    const bandwidth& rate = at.port.rate();
    response.tail = is_first_late ? done + rate.duration(response.bytes_to_tail())
                                  : response.head + rate.duration(response.wire_bytes);
  }
  response.created = response.head;
  if (response.is_explained) response.why.cut(response.head);
  at.answering.insert(response, response.head);
  at.answer.at(at.answering.next_due());
}

// How long the packets of a train before its last one are on the wire.
fs_t packetizer::others_on_wire(const side& through, const packet& train) {
  if (train.train == 1) return 0;
  return through.port.rate().duration(train.wire_bytes - train.wire_bytes / train.train);
}

void packetizer::reply(side& from) {
  const fs_t now = now_fs();
  while (from.answering.is_due(now)) enqueue(from, from.answering.pop());
  if (!from.answering.empty()) from.answer.at(from.answering.next_due());
}

void packetizer::aim(local_requester::access& access, packet& request) {
  const std::uint32_t bytes = request.payload_bytes;
  const bool is_read = request.kind == packet_kind::read_request;
  if (is_read && request.carries_data) request.payload = payload_slice::allocate(bytes);
  void* data =
      request.carries_data ? static_cast<void*>(request.payload.data()) : no_data_.room_for(bytes);
  set_access(access, is_read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, request.address,
             data, bytes);
  access.bulk.slice = request.payload;
  access.bulk.is_carried = request.carries_data;
  access.bulk.may_lend = is_read;
}

// The word that was there takes the place of the operand.
void packetizer::aim_atomic(local_requester::access& access, packet& request) {
  atomic_extension& atomic = access.atomic;
  atomic.is_performed = false;
  atomic.operation = static_cast<atomic_operation>(request.reduced_by);
  if (atomic.operation == atomic_operation::compare_and_swap) request.payload_bytes /= 2;
  const std::uint32_t bytes = request.payload_bytes;
  std::memcpy(&atomic.operand, request.payload.data(), bytes);
  if (atomic.operation == atomic_operation::compare_and_swap)
    std::memcpy(&atomic.expected, request.payload.data() + bytes, bytes);
  set_access(access, tlm::TLM_IGNORE_COMMAND, request.address, request.payload.data(), bytes);
  access.set_atomic();
  access.bulk.is_carried = true;
}

std::string packetizer::waiting_for() const {
  if (outstanding_ == 0 && pending_.empty()) return {};
  return fmt::format("{} without response", counted(outstanding_, "packet"));
}

}  // namespace heddle
