#include "models/mesh/ni/target_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

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

target_side::target_side(interface_tile& tile, interface_links& links, access_explanation& why,
                         access_finder find)
    : tile_(tile),
      links_(links),
      why_(why),
      find_(std::move(find)),
      out_("out"),
      port_(tile.owner, "out", out_) {
  local_.set_extension(&bulk_);
  bulk_.is_carried = tile.carries_data;
}

target_side::~target_side() {
  local_.clear_extension(&bulk_);
}  // not the payload's to free

void target_side::take(const flit& arrived, interface_link on, cycle_t now) {
  if (axi_tag::channel(arrived.tag) == axi_channel::w) return write_beat(arrived, on, now);
  axi_header header;
  std::memcpy(&header, tile_.payloads.at(arrived.payload).bytes.data(), sizeof header);
  tile_.payloads.give_back(arrived.payload);
  if (axi_tag::channel(arrived.tag) == axi_channel::ar)
    begin_read(arrived, header, now);
  else if (header.is_atomic)
    perform_atomic(arrived, header, now);
  else
    begin_write(arrived, header);
}

void target_side::evaluate(cycle_t now) {
  if (!reads_.empty()) read_beat(now);
}

void target_side::link_has_room(cycle_t now) {
  if (!reads_.empty()) tile_.clock.wake(now + 1);
}

// Returns when the access is done; the status is in `local_`.
fs_t target_side::perform(tlm::tlm_command command, std::uint64_t address, void* data,
                          std::uint32_t bytes) {
  set_access(local_, command, address, data, bytes);
  sc_core::sc_time delay = to_sc_time(tile_.latency * tile_.period());
  out_->b_transport(local_, delay);
  return now_fs() + to_fs(delay);
}

std::uint64_t target_side::status() const {
  if (local_.is_response_ok()) return axi_okay;
  return local_.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE ? axi_decode_error
                                                                         : axi_slave_error;
}

cause target_side::why_of(const flit& arrived) const {
  if (!why_.is_explained()) return {};
  const mesh_access* const asked =
      is_reduction(arrived.op) ? nullptr : find_(arrived.source, axi_tag::transaction(arrived.tag));
  return why_.of_arrival(arrived, asked);
}

// Not in this cycle, and after the way from the socket to the links.
void target_side::answer_at(fs_t done, interface_link on, const flit& answer, cycle_t now) {
  links_.send_at(std::max(now + 1, tile_.cycle_after(done) + tile_.latency), on, answer);
}

// A word is answered over the narrow link. Of a burst, a beat is read each cycle.
void target_side::begin_read(const flit& arrived, const axi_header& header, cycle_t now) {
  ++tile_.counters.served;
  const std::uint32_t transaction = axi_tag::transaction(arrived.tag);
  flit beat;
  beat.tag = axi_tag::of(axi_channel::r, transaction);
  beat.destination = arrived.source;
  beat.source = tile_.here;
  if (!header.is_wide) {
    bulk_.is_carried = true;
    beat.payload = tile_.payloads.take();
    beat.set_data(header.bytes, narrow_bytes);
    auto& block = tile_.payloads.at(beat.payload);
    const fs_t done =
        perform(tlm::TLM_READ_COMMAND, header.address, block.bytes.data(), header.bytes);
    block.words[1] = status();
    return answer_at(done, rsp, beat, now);
  }
  reads_.push_back({beat, header.address, header.bytes, 0});
}

// The next beat of the oldest burst, unless the link is behind.
void target_side::read_beat(cycle_t now) {
  constexpr std::size_t most_waiting = 8;                   // covers the way from `out` to the link
  if (links_.waiting(wide).size() >= most_waiting) return;  // link_has_room() goes on
  outbound_read& oldest = reads_.front();
  const std::uint32_t bytes =
      std::min<std::uint32_t>(flit_payload_bytes, oldest.bytes - oldest.done);
  flit beat = oldest.beat;
  beat.set_data(bytes, flit_payload_bytes);
  if (tile_.carries_data) {
    beat.payload = tile_.payloads.take();
    tile_.payloads.at(beat.payload).words = {};
  }
  void* data = beat.payload ? static_cast<void*>(tile_.payloads.at(beat.payload).bytes.data())
                            : static_cast<void*>(&bulk_);  // nobody touches it
  bulk_.is_carried = tile_.carries_data;
  const fs_t done = perform(tlm::TLM_READ_COMMAND, oldest.address + oldest.done, data, bytes);
  beat.mask.x = static_cast<std::uint8_t>(status());  // a unicast has no mask
  answer_at(done, wide, beat, now);
  if (!tile_.is_memory()) tile_.counters.stored += bytes;
  oldest.done += bytes;
  if (oldest.done == oldest.bytes) reads_.pop_front();
  if (!reads_.empty()) tile_.clock.wake(now + 1);
}

void target_side::perform_atomic(const flit& arrived, const axi_header& header, cycle_t now) {
  ++tile_.counters.served;
  flit answer;
  answer.payload = tile_.payloads.take();
  answer.set_data(header.bytes, narrow_bytes);
  auto& block = tile_.payloads.at(answer.payload);
  atomic_extension atomic;
  atomic.operation = header.operation;
  atomic.operand = header.operand;
  atomic.expected = header.expected;
  local_.set_extension(&atomic);
  bulk_.is_carried = true;
  cause why = why_of(arrived);
  const running_cause adding(why);
  const fs_t done =
      perform(tlm::TLM_IGNORE_COMMAND, header.address, block.bytes.data(), header.bytes);
  local_.clear_extension(&atomic);
  block.words[1] = status();
  answer.tag = axi_tag::of(axi_channel::r, axi_tag::transaction(arrived.tag));
  answer.destination = arrived.source;
  answer.source = tile_.here;
  answer_at(done, rsp, answer, now);
}

// A multicast names the address in one of its tiles: here it is the same offset in this one.
void target_side::begin_write(const flit& arrived, const axi_header& header) {
  ++tile_.counters.served;
  inbound_write& begun = writes_.emplace_back();
  begun.address = arrived;
  begun.local_address = arrived.op == flit_op::multicast
                            ? tile_.map.resolve(header.address, tile_.here)
                            : header.address;
  begun.bytes = header.bytes;
}

void target_side::write_beat(const flit& arrived, interface_link on, cycle_t now) {
  const std::uint32_t transaction = axi_tag::transaction(arrived.tag);
  const auto is_own = [this](const flit& each) {  // copy of its own multicast: nothing came in
    return each.op == flit_op::multicast && each.source == tile_.here;
  };
  const auto is_of = [&](const inbound_write& each) {
    return axi_tag::transaction(each.address.tag) == transaction &&
           initiator_of(each.address) == initiator_of(arrived) && each.address.mask == arrived.mask;
  };
  const auto found = std::find_if(writes_.begin(), writes_.end(), is_of);
  if (found == writes_.end()) return;  // its address was refused by a router: the run has failed
  inbound_write& write = *found;
  const std::uint32_t bytes = std::min<std::uint32_t>(flit_payload_bytes, write.bytes - write.done);
  bulk_.is_carried = on == req || tile_.carries_data;
  void* data = arrived.payload ? static_cast<void*>(tile_.payloads.at(arrived.payload).bytes.data())
                               : static_cast<void*>(&bulk_);  // nobody reads it
  cause why = on == req ? why_of(arrived) : cause();
  const running_cause writing(why);
  const fs_t done = perform(tlm::TLM_WRITE_COMMAND, write.local_address + write.done, data, bytes);
  tile_.payloads.give_back(arrived.payload);
  write.answer = std::max(write.answer, status());
  if (on == wide && !tile_.is_memory() && !is_own(arrived)) tile_.counters.written += bytes;
  write.done += bytes;
  if (write.done < write.bytes) return;
  answer_write(write, std::max(done, tile_.clock.domain().start_of(now + 1)));
  writes_.erase(found);
}

// One B to whoever wrote: merged with those of the other destinations, or to all members.
void target_side::answer_write(const inbound_write& done, fs_t when) {
  const flit& asked = done.address;
  if (is_reduction(asked.op)) why_.meet(axi_tag::transaction(asked.tag));
  flit answer;
  answer.set_data(0, narrow_bytes);
  answer.tag = axi_tag::of(axi_channel::b, axi_tag::transaction(asked.tag));
  answer.destination = initiator_of(asked);
  answer.source = tile_.here;
  answer.mask = asked.mask;
  answer.op = asked.op == flit_op::multicast ? flit_op::collect_b
              : is_reduction(asked.op)       ? flit_op::multicast
                                             : flit_op::unicast;
  if (done.answer != axi_okay || asked.op == flit_op::multicast) {
    answer.payload = tile_.payloads.take();
    tile_.payloads.at(answer.payload).words[0] = done.answer;
  }
  links_.send_at(tile_.cycle_after(when) + tile_.latency, rsp, answer);
}

std::string target_side::waiting_for() const {
  std::string text;
  for (const inbound_write& each : writes_)
    text += fmt::format("{}{} of {} B of a write from ({}, {})", text.empty() ? "" : ", ",
                        each.bytes - each.done, each.bytes, each.address.source.x,
                        each.address.source.y);
  return text;
}

}  // namespace heddle
