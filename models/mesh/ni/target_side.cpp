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
      out_("out", requester::calls::to<target_side, &target_side::performed>(*this)),
      port_(tile.owner, "out", out_) {}

void target_side::take(const flit& arrived, interface_link on) {
  if (axi_tag::channel(arrived.tag) == axi_channel::w) return write_beat(arrived, on);
  axi_header header;
  std::memcpy(&header, tile_.payloads.at(arrived.payload).bytes.data(), sizeof header);
  tile_.payloads.give_back(arrived.payload);
  if (axi_tag::channel(arrived.tag) == axi_channel::ar)
    begin_read(arrived, header);
  else if (header.is_atomic)
    perform_atomic(arrived, header);
  else
    begin_write(arrived, header);
}

void target_side::evaluate() {
  if (!reads_.empty()) read_beat();
}

void target_side::link_has_room(cycle_t now) {
  if (!reads_.empty()) tile_.clock.wake(now + 1);
}

target_side::requester::access& target_side::aim(part of, tlm::tlm_command command,
                                                 std::uint64_t address, void* data,
                                                 std::uint32_t bytes) {
  requester::access& access = out_.take();
  access.context = {};
  access.context.of = of;
  access.bulk.is_carried = data != no_data_.data();
  set_access(access, command, address, data, bytes);
  return access;
}

void target_side::perform(requester::access& access) {
  out_.send(access, tile_.latency * tile_.period());
}

void target_side::performed(requester::access& over, fs_t delay) {
  const fs_t done = now_fs() + delay;
  const cycle_t now = now_fs() / tile_.period();
  performed_part& part_of = over.context;
  if (part_of.of == part::write) return end_write(over, done, now);
  if (part_of.of == part::beat_read) return end_beat_read(over, done, now);
  tile_.payloads.at(part_of.answer.payload).words[1] = status(over);
  answer_at(done, rsp, part_of.answer, now);
}

std::uint64_t target_side::status(const requester::access& over) {
  const bool is_undone = over.context.of == part::atomic && !over.atomic.is_performed;
  if (over.is_response_ok() && !is_undone) return axi_okay;
  return over.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE ? axi_decode_error
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
void target_side::begin_read(const flit& arrived, const axi_header& header) {
  ++tile_.counters.served;
  const std::uint32_t transaction = axi_tag::transaction(arrived.tag);
  flit beat;
  beat.tag = axi_tag::of(axi_channel::r, transaction);
  beat.destination = arrived.source;
  beat.source = tile_.here;
  if (!header.is_wide) {
    beat.payload = tile_.payloads.take();
    beat.set_data(header.bytes, narrow_bytes);
    auto& access = aim(part::word_read, tlm::TLM_READ_COMMAND, header.address,
                       tile_.payloads.at(beat.payload).bytes.data(), header.bytes);
    access.context.answer = beat;
    return perform(access);
  }
  reads_.push_back({beat, header.address, header.bytes, 0});
}

// The next beat of the oldest burst, unless the link is behind.
void target_side::read_beat() {
  constexpr std::size_t most_waiting = 8;                   // covers the way from `out` to the link
  if (links_.waiting(wide).size() >= most_waiting) return;  // link_has_room() goes on
  if (is_reading_) return;                                  // end_beat_read() goes on
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
                            : static_cast<void*>(no_data_.data());
  auto& access =
      aim(part::beat_read, tlm::TLM_READ_COMMAND, oldest.address + oldest.done, data, bytes);
  access.context.answer = beat;
  is_reading_ = true;
  perform(access);
}

void target_side::end_beat_read(requester::access& over, fs_t done, cycle_t now) {
  is_reading_ = false;
  const std::uint32_t bytes = over.get_data_length();
  flit& beat = over.context.answer;
  beat.mask.x = static_cast<std::uint8_t>(status(over));  // a unicast has no mask
  answer_at(done, wide, beat, now);
  if (!tile_.is_memory()) tile_.counters.stored += bytes;
  outbound_read& oldest = reads_.front();
  oldest.done += bytes;
  if (oldest.done == oldest.bytes) reads_.pop_front();
  if (!reads_.empty()) tile_.clock.wake(now + 1);
}

void target_side::perform_atomic(const flit& arrived, const axi_header& header) {
  ++tile_.counters.served;
  flit answer;
  answer.payload = tile_.payloads.take();
  answer.set_data(header.bytes, narrow_bytes);
  answer.tag = axi_tag::of(axi_channel::r, axi_tag::transaction(arrived.tag));
  answer.destination = arrived.source;
  answer.source = tile_.here;
  auto& access = aim(part::atomic, tlm::TLM_IGNORE_COMMAND, header.address,
                     tile_.payloads.at(answer.payload).bytes.data(), header.bytes);
  access.context.answer = answer;
  access.atomic = {};
  access.atomic.operation = header.operation;
  access.atomic.operand = header.operand;
  access.atomic.expected = header.expected;
  access.set_atomic();
  cause why = why_of(arrived);
  const running_cause adding(why);
  perform(access);
}

// A multicast names the address in one of its tiles: here it is the same offset in this one.
void target_side::begin_write(const flit& arrived, const axi_header& header) {
  ++tile_.counters.served;
  inbound_write& begun = write_pool_.take();
  begun = {};
  writes_.push_back(&begun);
  begun.address = arrived;
  begun.local_address = arrived.op == flit_op::multicast
                            ? tile_.map.resolve(header.address, tile_.here)
                            : header.address;
  begun.bytes = header.bytes;
}

void target_side::write_beat(const flit& arrived, interface_link on) {
  const std::uint32_t transaction = axi_tag::transaction(arrived.tag);
  const auto is_own = [this](const flit& each) {  // copy of its own multicast: nothing came in
    return each.op == flit_op::multicast && each.source == tile_.here;
  };
  const auto is_of = [&](const inbound_write* each) {
    return axi_tag::transaction(each->address.tag) == transaction && each->begun < each->bytes &&
           initiator_of(each->address) == initiator_of(arrived) &&
           each->address.mask == arrived.mask;
  };
  const auto found = std::find_if(writes_.begin(), writes_.end(), is_of);
  if (found == writes_.end()) return;  // its address was refused by a router: the run has failed
  inbound_write& write = **found;
  const std::uint32_t bytes =
      std::min<std::uint32_t>(flit_payload_bytes, write.bytes - write.begun);
  const bool is_carried = arrived.payload && (on == req || tile_.carries_data);
  void* data = is_carried ? static_cast<void*>(tile_.payloads.at(arrived.payload).bytes.data())
                          : static_cast<void*>(no_data_.data());
  auto& access =
      aim(part::write, tlm::TLM_WRITE_COMMAND, write.local_address + write.begun, data, bytes);
  access.context.write = &write;
  access.context.written = arrived.payload;
  access.context.is_counted = on == wide && !tile_.is_memory() && !is_own(arrived);
  write.begun += bytes;
  cause why = on == req ? why_of(arrived) : cause();
  const running_cause writing(why);
  perform(access);
}

void target_side::end_write(requester::access& over, fs_t done, cycle_t now) {
  const std::uint32_t bytes = over.get_data_length();
  inbound_write& write = *over.context.write;
  tile_.payloads.give_back(over.context.written);
  write.answer = std::max(write.answer, status(over));
  if (over.context.is_counted) tile_.counters.written += bytes;
  write.done += bytes;
  if (write.done < write.bytes) return;
  answer_write(write, std::max(done, tile_.clock.domain().start_of(now + 1)));
  writes_.erase(std::find(writes_.begin(), writes_.end(), &write));
  write_pool_.give_back(write);
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
  for (const inbound_write* each : writes_)
    text += fmt::format("{}{} of {} B of a write from ({}, {})", text.empty() ? "" : ", ",
                        each->bytes - each->done, each->bytes, each->address.source.x,
                        each->address.source.y);
  return text;
}

}  // namespace heddle
