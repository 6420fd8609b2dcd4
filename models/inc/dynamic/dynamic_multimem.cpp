// Requests and their copies. Answers: dynamic_answers.cpp.
#include "models/inc/dynamic/dynamic_multimem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/unit/simulation.hpp"
#include "transactors/multicast/multicast_tags.hpp"
#include "transactors/packet/packet_response.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(dynamic_multimem,
                     describe_unit<dynamic_multimem>("dynamic_multimem",
                                                     "copies and adds token vectors by lists of "
                                                     "experts, inside a switch"));

aggregation_limits limits_of(std::uint64_t buffer, int operands) {
  aggregation_limits limits;
  limits.children = port_set(operands);
  for (int i = 0; i < operands; ++i) limits.children.insert(i);
  limits.capacity = buffer;
  return limits;
}

// The answer to any request that has one, also to a request that this device does not know.
packet_kind answer_to(packet_kind request) {
  if (request == token_store) return token_ack;
  return request == token_fetch ? token_sum : response_to(request);
}

}  // namespace

std::vector<port_description> dynamic_multimem::port_descriptions() {
  return {{"switch", "in-network device", "the switch whose ports it uses"}};
}

dynamic_side::dynamic_side(dynamic_multimem& owner, packet_port& through,
                           const stage_timing& timing)
    : port(through), arriving(owner, through.index(), timing, owner.site()) {}

dynamic_multimem::dynamic_multimem(const unit_context& context, const parameters& p)
    : unit(context),
      format_(p.tokens()),
      base_(p.base().value),
      latency_(p.latency().fs),
      reduction_(p.reduction().fs),
      experts_per_gpu_(static_cast<std::uint32_t>(p.experts_per_gpu())),
      buffer_(p.buffer().bytes),
      keeps_order_(p.order() == "target"),
      tag_prefix_(sim().service<multicast_tags>().add(*this)),
      endpoint_(sim().service<fabric>().add_inc_endpoint(*this, p.base().value, p.size().bytes)),
      region_(p.base().value, p.size().bytes, static_cast<int>(p.members())),
      switch_port_(*this, "switch", *this),
      answers_(timed_queue<answer>::to<dynamic_multimem, &dynamic_multimem::send_answers,
                                       &dynamic_multimem::fetch_answer>(*this)),
      trimmed_(p.members()) {
  for (std::uint64_t i = 0; i < p.members(); ++i)
    region_.add_member(p.member_base().value + i * p.member_stride().bytes, true);
}

void dynamic_multimem::on_connected() {
  region_.resolve(sim().service<fabric>(), switch_port_.host().stage_unit());
  const int operands = keeps_order_ ? static_cast<int>(region_.members().size()) : 0;
  const trace_scope scope(sim().trace(), path());
  for (int i = 0; i < switch_port_.port_count(); ++i) {
    sides_.push_back(std::make_unique<dynamic_side>(*this, switch_port_.port_at(i),
                                                    stage_timing{latency_, {}, false}));
    accesses_.add_group(limits_of(buffer_, operands));
    sides_.back()->buffer_trace = scope.vector(fmt::format("buffer_{}", i), 32);
    sides_.back()->buffer_trace.set(0, 0);
  }
}

stage_sheet dynamic_multimem::sheet() const {
  stage_sheet result;
  result.latency = latency_;
  result.charged = site();
  return result;
}

bool dynamic_multimem::intercept(const stage_visit& visit, packet& arrived) {
  dynamic_side& side = *sides_[visit.input];
  if (is_response(arrived.kind))
    take_answer(side.port, arrived);
  else
    side.arriving.enter(visit, arrived);
  return true;
}

// Sorts the targets by GPU, into trimmed_ and named_. False: an expert is named twice, does not
// exist, or is of a GPU that nobody reaches.
bool dynamic_multimem::sort_targets(const target_list& list) {
  for (const int each : named_) trimmed_[static_cast<std::size_t>(each)].clear();
  named_.clear();
  for (const std::uint16_t expert : list.experts) {
    const std::size_t gpu = expert / experts_per_gpu_;
    if (gpu >= trimmed_.size() || region_.members()[gpu].port < 0) return false;
    target_list::experts_type& own = trimmed_[gpu];
    if (own.empty()) named_.push_back(static_cast<int>(gpu));
    if (std::find(own.begin(), own.end(), expert) != own.end()) return false;
    own.push_back(expert);
  }
  std::sort(named_.begin(), named_.end());
  return true;
}

// Names every GPU that is there but the source, with or without experts.
void dynamic_multimem::name_all_but(int source) {
  named_.clear();
  for (int each = 0; each < static_cast<int>(trimmed_.size()); ++each) {
    const auto gpu = static_cast<std::size_t>(each);
    if (each == source)
      trimmed_[gpu].clear();
    else if (region_.members()[gpu].port >= 0)
      named_.push_back(each);
  }
}

void dynamic_multimem::leave(int port, const stage_visit&, packet& request) {
  dynamic_side& from = *sides_[port];
  const auto* list = request.header.as<target_list>();
  const bool is_known = request.kind == token_store || request.kind == token_fetch;
  if (!list || !is_known || !sort_targets(*list)) return refuse(from, request);
  if (list->is_for_all) name_all_but(region_.member_of(request.source));
  if (request.is_explained) request.why.then(category::queueing, site(), now_fs());
  table::entry& access = open(from, request);
  // Copies to everybody are counted one by one; lists by their targets.
  access.targets = list->is_for_all ? static_cast<std::uint32_t>(named_.size())
                                    : static_cast<std::uint32_t>(list->experts.size());
  accesses_.owe(access, access.targets);
  const bool has_data = request.kind == token_store;
  access.unsent = has_data ? static_cast<std::uint32_t>(named_.size()) : 0;
  if (!has_data) from.port.release(request, std::max(now_fs(), request.tail));
  for (const int member : named_) copy_to(member, access, request);
  (has_data ? counters_.stores : counters_.fetches) += request.train;
  counters_.copies += request.train * named_.size();
  show(from);
}

dynamic_multimem::table::entry& dynamic_multimem::open(dynamic_side& from, const packet& request) {
  const int port = from.port.index();
  std::uint64_t reserved = 0;
  if (request.kind == token_fetch) {
    const std::uint64_t evicted_before = counters_.evictions.raw();
    make_room(port, request.payload_bytes);
    const bool fits = accesses_.fits(port, request.payload_bytes);
    if (fits)
      reserved = request.payload_bytes;
    else
      counters_.evictions += request.train;  // it would be the next to go
    if (counters_.evictions.raw() == evicted_before) counters_.hits += request.train;
  }
  table::entry& access = accesses_.open(port, reserved);
  access.request = const_cast<packet*>(&request);
  access.from = &from;
  access.is_store = request.kind == token_store;
  counters_.peak_buffer.raise_to(accesses_.used(port));
  return access;
}

void dynamic_multimem::make_room(int port, std::uint64_t bytes) {
  while (!accesses_.fits(port, bytes)) {
    table::entry* oldest = accesses_.oldest_in_buffer(port);
    if (!oldest) return;  // sums that wait for the wire have all of it
    counters_.evictions += oldest->request->train;
    if (oldest->covered > 0) send_partial(*oldest);
    accesses_.evict(*oldest);
  }
}

void dynamic_multimem::copy_to(int member, table::entry& access, const packet& request) {
  const target_list& whole = *request.header.as<target_list>();
  packet& sent = *take_packet();
  sent.kind = request.kind;
  sent.payload_bytes = request.payload_bytes;
  sent.train = request.train;
  sent.source = endpoint_;
  sent.destination = region_.members()[static_cast<std::size_t>(member)].endpoint;
  sent.vc = request.vc;
  sent.is_inc = true;
  sent.carries_data = request.carries_data;
  sent.reduced_type = request.reduced_type;
  sent.step = request.step;
  sent.tag = tag_prefix_ | access.pool_index;
  sent.address = request.address;
  sent.tail = request.tail;
  if (request.is_explained) sent.explain(request.why);
  target_list& list = sent.header.attach<target_list>();
  list.experts = trimmed_[static_cast<std::size_t>(member)];
  list.stage = whole.stage;
  list.is_for_all = whole.is_for_all;
  if (!whole.is_for_all)
    list.bytes =
        format_.extension_bytes(request.train, list.experts.size(), token_format::leg::copy);
  sent.wire_bytes = request.train * format_.packets.header + list.bytes;
  const int port = region_.members()[static_cast<std::size_t>(member)].port;
  if (request.kind == token_store) {
    sent.wire_bytes = format_.packets.wire_bytes(request.payload_bytes, request.train) + list.bytes;
    sent.payload = request.payload;
    sides_[port]->stores_out.push_back(access.pool_index);
  }
  switch_port_.emit(port, sent);
}

void dynamic_multimem::refuse(dynamic_side& from, packet& request) {
  ++counters_.errors;
  from.port.release(request, std::max(now_fs(), request.tail));
  const packet_kind kind = answer_to(request.kind);
  if (kind == packet_kind::none) return give_back(&request);
  turn_into_refusal(request, kind, format_.packets);
  if (auto* list = request.header.as<target_list>()) list->bytes = 0;
  give_answer(from, request, {now_fs(), std::max(now_fs(), request.tail)}, 0);
}

void dynamic_multimem::transmitted(int port, packet_kind kind, std::uint32_t) {
  dynamic_side& through = *sides_[port];
  if (kind == token_store) return copy_left(through);
  if (kind != token_sum) return;
  accesses_.free_buffer(port, through.results_out.front());
  through.results_out.pop_front();
  show(through);
}

// The receive buffer of a store is free when the last byte of its last copy is out.
void dynamic_multimem::copy_left(dynamic_side& through) {
  table::entry& access = accesses_.at(through.stores_out.front());
  through.stores_out.pop_front();
  access.copies_out = std::max(access.copies_out, through.port.free_at());
  if (--access.unsent > 0) return;
  access.from->port.release(*access.request, access.copies_out);
}

void dynamic_multimem::show(const dynamic_side& side) const {
  if (side.buffer_trace.enabled())
    side.buffer_trace.set(accesses_.used(side.port.index()), now_fs());
}

std::string dynamic_multimem::waiting_for() const {
  std::uint64_t requests = 0, targets = 0;
  accesses_.for_each_open([&](const table::entry& each) {
    ++requests;
    targets += each.owed;
  });
  if (requests == 0) return {};
  return fmt::format("answers for {} targets of {} requests", targets, requests);
}

}  // namespace heddle
