// What GPUs answer: counted, added up, and one answer to the source.
#include <algorithm>

#include "models/inc/dynamic/dynamic_multimem.hpp"
#include "platform/tensor/convert.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/multicast/multicast_tags.hpp"

namespace heddle {

void dynamic_multimem::take_answer(packet_port& at, packet& arrived) {
  at.release(arrived, arrived.tail);
  if (!multicast_tags::has_prefix(arrived.tag, tag_prefix_)) {
    sim().service<multicast_tags>().reject_stray(*this, arrived, sim());
    return give_back(&arrived);
  }
  table::entry& access = accesses_.at(arrived.tag & multicast_tags::number_mask);
  const auto* list = arrived.header.as<target_list>();
  const std::uint32_t covered = list->covered;
  const fs_t first = arrived.head + (arrived.tail - arrived.head) / arrived.train;
  if (arrived.is_explained) arrived.why.then(category::serialization, at.wire_in(), first);
  access.is_error |= arrived.is_error;
  accesses_.cover(access, covered);
  const bool is_buffered = access.reserved > 0 || access.is_store;
  if (!is_buffered) return pass_on(access, arrived);
  access.first_in = std::max(access.first_in, first);
  access.last_in = std::max(access.last_in, arrived.tail);
  access.covered += covered;
  if (arrived.is_explained) access.why.join(arrived.why);
  if (arrived.kind == token_sum) add_operand(access, arrived);
  give_back(&arrived);
  if (table::is_complete(access)) complete(access);
}

void dynamic_multimem::add_operand(table::entry& access, packet& arrived) {
  if (!arrived.payload) return;
  if (keeps_order_) {
    access.operands[static_cast<std::size_t>(region_.member_of(arrived.source))] =
        std::move(arrived.payload);
    return;
  }
  const auto type = static_cast<dtype>(access.request->reduced_type);
  const std::size_t elements = arrived.payload_bytes / size_of(type);
  std::vector<float> operand(elements);
  widen(type, arrived.payload.data(), operand.data(), elements);
  if (access.partial.empty()) {
    access.partial = std::move(operand);
    return;
  }
  for (std::size_t i = 0; i < elements; ++i) access.partial[i] += operand[i];
}

// Adds up the operands that were kept, in the order of GPUs.
void dynamic_multimem::add_up(table::entry& access) {
  const auto type = static_cast<dtype>(access.request->reduced_type);
  for (payload_slice& each : access.operands) {
    if (!each) continue;
    const std::size_t elements = access.request->payload_bytes / size_of(type);
    std::vector<float> operand(elements);
    widen(type, each.data(), operand.data(), elements);
    each.reset();
    if (access.partial.empty())
      access.partial = std::move(operand);
    else
      for (std::size_t i = 0; i < elements; ++i) access.partial[i] += operand[i];
  }
}

payload_slice dynamic_multimem::rounded(const table::entry& access, std::uint32_t bytes) const {
  if (access.partial.empty()) return {};
  payload_slice sum = payload_slice::allocate(bytes);
  narrow(static_cast<dtype>(access.request->reduced_type), access.partial.data(), sum.data(),
         access.partial.size());
  return sum;
}

// Makes the packet an answer of this device to the source of the request.
void dynamic_multimem::address_to_source(const table::entry& access, packet& leaving,
                                         std::uint32_t covered) const {
  const packet& request = *access.request;
  const bool is_store = request.kind == token_store;  // asked first: `leaving` may be the request
  leaving.kind = is_store ? token_ack : token_sum;
  leaving.destination = request.source;
  leaving.source = endpoint_;
  leaving.tag = request.tag;
  leaving.address = request.address;
  leaving.payload_bytes = is_store ? 0 : request.payload_bytes;
  leaving.train = request.train;
  leaving.is_inc = true;
  leaving.is_error = access.is_error;
  leaving.reduced_type = request.reduced_type;
  leaving.step = request.step;
  leaving.vc = inc_vc_of(leaving.kind);
  target_list& list = leaving.header.attach<target_list>();
  list.covered = covered;
  list.bytes = format_.answer_extension_bytes(request.train, covered);
  leaving.wire_bytes =
      list.bytes + (is_store ? request.train * format_.packets.header
                             : format_.packets.wire_bytes(request.payload_bytes, request.train));
}

// Sends what an entry has added up so far, because it gives up its place.
void dynamic_multimem::send_partial(table::entry& access) {
  packet& partial = *take_packet();
  if (keeps_order_) add_up(access);
  partial.carries_data = access.request->carries_data;
  partial.payload = rounded(access, access.request->payload_bytes);
  access.partial.clear();
  address_to_source(access, partial, access.covered);
  counters_.partial_sums += partial.train;
  const fs_t now = now_fs();
  const answer_times when{std::max(now, access.first_in) + reduction_,
                          std::max(now, access.last_in) + reduction_};
  access.why.then(category::reduction, site(), when.start);
  partial.explain(access.why);
  give_answer(*access.from, partial, when, 0);
  access.covered = 0;
}

void dynamic_multimem::pass_on(table::entry& access, packet& arrived) {
  const std::uint32_t covered = arrived.header.as<target_list>()->covered;
  const answer_times when{std::max(now_fs(), arrived.head), arrived.tail};
  address_to_source(access, arrived, covered);
  dynamic_side& through = *access.from;
  if (table::is_complete(access)) {
    give_back(access.request);
    accesses_.close(access);
  } else {
    counters_.partial_sums += arrived.train;
  }
  give_answer(through, arrived, when, 0);
}

// The request itself goes back as its answer. What it reserved is free when that has left.
void dynamic_multimem::complete(table::entry& access) {
  packet& result = *access.request;
  dynamic_side& through = *access.from;
  const auto frees = static_cast<std::uint32_t>(access.reserved);
  const bool is_sum = result.kind == token_fetch;
  const fs_t adding = is_sum ? reduction_ : 0;
  const answer_times when{access.first_in + adding, access.last_in + adding};
  if (is_sum) {
    if (keeps_order_) add_up(access);
    result.payload = rounded(access, result.payload_bytes);
  } else {
    result.payload.reset();
  }
  address_to_source(access, result, access.covered);
  access.why.then(is_sum ? category::reduction : category::forwarding, site(), when.start);
  result.explain(access.why);
  accesses_.close(access);
  give_answer(through, result, when, frees);
}

void dynamic_multimem::give_answer(dynamic_side& through, packet& leaving, const answer_times& when,
                                   std::uint32_t frees) {
  leaving.tail = when.end;
  answers_.push(std::max(now_fs(), when.start), {&leaving, &through, frees});
}

void dynamic_multimem::fetch_answer() const {
  if (const answer* next = answers_.next()) __builtin_prefetch(next->leaving);
}

void dynamic_multimem::send_answers() {
  for (answer due; answers_.pop_due(now_fs(), due);) {
    if (due.leaving->kind == token_sum) due.through->results_out.push_back(due.frees);
    switch_port_.emit(due.through->port.index(), *due.leaving);
  }
}

}  // namespace heddle
