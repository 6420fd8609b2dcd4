// What members answer: reduced, or counted, and one answer to the initiator.
#include <algorithm>

#include "models/inc/nvls/multicast_engine.hpp"
#include "platform/tensor/accumulate.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/multicast/multicast_tags.hpp"
#include "transactors/packet/packet_response.hpp"

namespace heddle {

// An operand has its place in the reduction buffer since the request, so its receive buffer is free
// as soon as it is here.
void multicast_engine::take_answer(packet_port& at, packet& arrived) {
  at.release(arrived, arrived.tail);
  if (!multicast_tags::has_prefix(arrived.tag, tag_prefix_)) {
    sim().service<multicast_tags>().reject_stray(*this, arrived, sim());
    return give_back(&arrived);
  }
  multicast_entry& access = accesses_.at(arrived.tag & multicast_tags::number_mask);
  const int member = region_.member_of(arrived.source);
  accesses_.contribute(access, member);
  if (access.owed == 1) access.request->prefetch();  // it goes back with the next answer
  if (arrived.is_error && !access.is_error) {
    access.is_error = true;
    record(*access.request, *access.from, "member " + std::to_string(member) + " refused it");
  }
  const fs_t first_packet = arrived.head + (arrived.tail - arrived.head) / arrived.train;
  if (arrived.is_explained) {
    arrived.why.then(category::serialization, at.wire_in(), first_packet);
    arrived.why.then(category::forwarding, site(), first_packet + forwarding_);
    access.why.join(arrived.why);
  }
  access.first_in = std::max(access.first_in, first_packet + forwarding_);
  access.last_in = std::max(access.last_in, arrived.tail + forwarding_);
  access.answer_bytes = arrived.wire_bytes;
  if (arrived.carries_data)
    access.operands[static_cast<std::size_t>(member)] = std::move(arrived.payload);
  give_back(&arrived);
  if (multicast_accesses::is_complete(access)) complete(access);
}

// The packets of a train are reduced as they come: the first result may leave before the last
// operand is here.
void multicast_engine::complete(multicast_entry& access) {
  packet& request = *access.request;
  multicast_side& side = *access.from;
  fs_t start = access.first_in, end = access.last_in;
  request.is_error = access.is_error;
  request.wire_bytes = access.answer_bytes;
  if (request.kind == packet_kind::read_request) {
    const bandwidth& rate = side.port.rate();
    const fs_t in_unit = rate.duration(taken_in(request.payload_bytes));
    start = std::max(start, side.unit_free_at);
    access.why.then(category::queueing, site(), start);
    end = std::max(start + in_unit, end + in_unit / request.train);
    side.unit_free_at = end;
    start += reduction_latency_;
    access.why.then(category::reduction, site(), start);
    end += reduction_latency_;
    reduce_operands(access, request);
    counters_.reducing += in_unit;
    counters_.reductions += request.train;
    counters_.reduced_bytes += request.payload_bytes;
  } else if (request.kind == packet_kind::atomic_request) {
    request.payload = access.operands[static_cast<std::size_t>(region_.present().next(0))];
    ++counters_.atomics;
  } else {
    counters_.multicasts += request.train;
  }
  request.explain(access.why);
  accesses_.close(access);
  turn_into_response(request, response_to(request.kind));
  give_answer(side, request, start, end);
}

void multicast_engine::reduce_operands(const multicast_entry& access, packet& result) {
  if (access.is_error) result.carries_data = false;
  if (!result.carries_data) return;
  operands_.clear();
  region_.present().for_each([&](int member) {
    operands_.push_back(access.operands[static_cast<std::size_t>(member)].data());
  });
  const auto type = static_cast<dtype>(result.reduced_type);
  result.payload = payload_slice::allocate(result.payload_bytes);
  accumulate(type, static_cast<reduce_op>(result.reduced_by), operands_, result.payload.data(),
             result.payload_bytes / size_of(type));
}

// The request has turned into its answer, which starts to leave at `start` at the earliest and is
// complete at `end`.
void multicast_engine::give_answer(multicast_side& through, packet& response, fs_t start,
                                   fs_t end) {
  response.tail = end;
  answers_.push(start, {&response, &through});
}

void multicast_engine::send_answers() {
  for (answer due; answers_.pop_due(now_fs(), due);)
    switch_port_.emit(due.through->port.index(), *due.leaving);
}

}  // namespace heddle
