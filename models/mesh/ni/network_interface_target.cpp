// What other tiles ask of this one: performed on `out`, answered over the links.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/mesh/ni/network_interface.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/memory/access.hpp"

namespace heddle {
namespace {

// Of a reduction, any member may be named: the one with all free coordinates 0 stands for them.
mesh_position initiator_of(const flit& arrived) {
  if (!is_reduction(arrived.op)) return arrived.source;
  return {static_cast<std::uint8_t>(arrived.source.x & ~arrived.mask.x),
          static_cast<std::uint8_t>(arrived.source.y & ~arrived.mask.y)};
}

}  // namespace

void network_interface::take_request(const flit& arrived, link on, cycle_t now) {
  if (axi_tag::channel(arrived.tag) == axi_channel::w) return serve_beat(arrived, on, now);
  axi_header header;
  std::memcpy(&header, payloads_.at(arrived.payload).bytes.data(), sizeof header);
  payloads_.give_back(arrived.payload);
  if (axi_tag::channel(arrived.tag) == axi_channel::ar)
    serve_read(arrived, header, now);
  else if (header.is_atomic)
    serve_atomic(arrived, header, now);
  else
    begin_write(arrived, header);
}

// Returns when the access is done; the status is in `local_`.
fs_t network_interface::perform(tlm::tlm_command command, std::uint64_t address, void* data,
                                std::uint32_t bytes) {
  set_access(local_, command, address, data, bytes);
  sc_core::sc_time delay = to_sc_time(latency_ * clock_.domain().period());
  out_->b_transport(local_, delay);
  return now_fs() + to_fs(delay);
}

std::uint64_t network_interface::answer_of(const tlm::tlm_generic_payload& payload) const {
  if (payload.is_response_ok()) return axi_okay;
  return payload.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE ? axi_decode_error
                                                                          : axi_slave_error;
}

// A word is answered over the narrow link. Of a burst, a beat is read each cycle.
void network_interface::serve_read(const flit& arrived, const axi_header& header, cycle_t now) {
  ++counters_.served;
  const std::uint32_t transaction = axi_tag::transaction(arrived.tag);
  flit beat;
  beat.tag = axi_tag::of(axi_channel::r, transaction);
  beat.destination = arrived.source;
  beat.source = here_;
  if (!header.is_wide) {
    local_bulk_.is_carried = true;
    beat.payload = payloads_.take();
    beat.set_data(header.bytes, narrow_bytes);
    auto& block = payloads_.at(beat.payload);
    const fs_t done =
        perform(tlm::TLM_READ_COMMAND, header.address, block.bytes.data(), header.bytes);
    block.words[1] = answer_of(local_);
    return send_at(std::max(now + 1, cycle_after(done) + latency_), rsp, beat);
  }
  reads_.push_back({beat, header.address, header.bytes, 0});
}

// The next beat of the oldest burst, unless the link is behind.
void network_interface::read_beat(cycle_t now) {
  constexpr std::size_t most_waiting = 8;         // covers the way from `out` to the link
  if (due_[wide].size() >= most_waiting) return;  // transmit_wide() wakes this unit
  outbound_read& oldest = reads_.front();
  const std::uint32_t bytes =
      std::min<std::uint32_t>(flit_payload_bytes, oldest.bytes - oldest.done);
  flit beat = oldest.beat;
  beat.set_data(bytes, flit_payload_bytes);
  if (carries_data_) {
    beat.payload = payloads_.take();
    payloads_.at(beat.payload).words = {};
  }
  void* data = beat.payload ? static_cast<void*>(payloads_.at(beat.payload).bytes.data())
                            : static_cast<void*>(&local_bulk_);  // nobody touches it
  local_bulk_.is_carried = carries_data_;
  const fs_t done = perform(tlm::TLM_READ_COMMAND, oldest.address + oldest.done, data, bytes);
  beat.mask.x = static_cast<std::uint8_t>(answer_of(local_));  // a unicast has no mask
  send_at(std::max(now + 1, cycle_after(done) + latency_), wide, beat);
  if (!is_memory_tile()) counters_.stored += bytes;
  oldest.done += bytes;
  if (oldest.done == oldest.bytes) reads_.pop_front();
  if (!reads_.empty()) clock_.wake(now + 1);
}

void network_interface::serve_atomic(const flit& arrived, const axi_header& header, cycle_t now) {
  ++counters_.served;
  flit answer;
  answer.payload = payloads_.take();
  answer.set_data(header.bytes, narrow_bytes);
  auto& block = payloads_.at(answer.payload);
  atomic_extension atomic;
  atomic.operation = header.operation;
  atomic.operand = header.operand;
  atomic.expected = header.expected;
  local_.set_extension(&atomic);
  local_bulk_.is_carried = true;
  cause why = why_of(arrived);
  const running_cause adding(why);
  const fs_t done =
      perform(tlm::TLM_IGNORE_COMMAND, header.address, block.bytes.data(), header.bytes);
  local_.clear_extension(&atomic);
  block.words[1] = answer_of(local_);
  answer.tag = axi_tag::of(axi_channel::r, axi_tag::transaction(arrived.tag));
  answer.destination = arrived.source;
  answer.source = here_;
  send_at(std::max(now + 1, cycle_after(done) + latency_), rsp, answer);
}

// A multicast names the address in one of its tiles: here it is the same offset in this one.
void network_interface::begin_write(const flit& arrived, const axi_header& header) {
  ++counters_.served;
  inbound_write& begun = inbound_.emplace_back();
  begun.address = arrived;
  begun.local_address =
      arrived.op == flit_op::multicast ? map_.resolve(header.address, here_) : header.address;
  begun.bytes = header.bytes;
}

void network_interface::serve_beat(const flit& arrived, link on, cycle_t now) {
  const std::uint32_t transaction = axi_tag::transaction(arrived.tag);
  const auto is_own = [this](const flit& each) {  // copy of its own multicast: nothing came in
    return each.op == flit_op::multicast && each.source == here_;
  };
  const auto is_of = [&](const inbound_write& each) {
    return axi_tag::transaction(each.address.tag) == transaction &&
           initiator_of(each.address) == initiator_of(arrived) && each.address.mask == arrived.mask;
  };
  const auto place = std::find_if(inbound_.begin(), inbound_.end(), is_of);
  if (place == inbound_.end()) return;  // its address was refused by a router: the run has failed
  inbound_write& write = *place;
  const std::uint32_t bytes = std::min<std::uint32_t>(flit_payload_bytes, write.bytes - write.done);
  local_bulk_.is_carried = on == req || carries_data_;
  void* data = arrived.payload ? static_cast<void*>(payloads_.at(arrived.payload).bytes.data())
                               : static_cast<void*>(&local_bulk_);  // nobody reads it
  cause why = on == req ? why_of(arrived) : cause();
  const running_cause writing(why);
  const fs_t done = perform(tlm::TLM_WRITE_COMMAND, write.local_address + write.done, data, bytes);
  payloads_.give_back(arrived.payload);
  write.answer = std::max(write.answer, answer_of(local_));
  if (on == wide && !is_memory_tile() && !is_own(arrived)) counters_.written += bytes;
  write.done += bytes;
  if (write.done < write.bytes) return;
  answer_write(write, std::max(done, clock_.domain().start_of(now + 1)));
  inbound_.erase(place);
}

// One B to whoever wrote: merged with those of the other destinations, or to all members.
void network_interface::answer_write(const inbound_write& done, fs_t when) {
  const flit& asked = done.address;
  if (causes_.is_explained && is_reduction(asked.op)) causes_.meet(axi_tag::transaction(asked.tag));
  flit answer;
  answer.set_data(0, narrow_bytes);
  answer.tag = axi_tag::of(axi_channel::b, axi_tag::transaction(asked.tag));
  answer.destination = initiator_of(asked);
  answer.source = here_;
  answer.mask = asked.mask;
  answer.op = asked.op == flit_op::multicast ? flit_op::collect_b
              : is_reduction(asked.op)       ? flit_op::multicast
                                             : flit_op::unicast;
  if (done.answer != axi_okay || asked.op == flit_op::multicast) {
    answer.payload = payloads_.take();
    payloads_.at(answer.payload).words[0] = done.answer;
  }
  send_at(cycle_after(when) + latency_, rsp, answer);
}

}  // namespace heddle
