#include "models/mesh/ni/request_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "platform/services/run_control.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

request_side::request_side(interface_tile& tile, interface_links& links, access_explanation& why,
                           target_side& own, std::size_t most_words, std::size_t most_bursts)
    : tile_(tile),
      links_(links),
      why_(why),
      own_(own),
      most_words_(most_words),
      most_bursts_(most_bursts) {}

void request_side::begin(mesh_access& access, fs_t when) {
  ++(access.is_word ? tile_.counters.words : tile_.counters.bursts);
  access.not_before = tile_.cycle_after(when) + tile_.latency;
  why_.begin(access);
  (access.is_word ? pending_words_ : pending_bursts_).push_back(&access);
  tile_.clock.wake(access.not_before);
}

void request_side::issue(cycle_t now) {
  for (auto* pending : {&pending_words_, &pending_bursts_}) {
    const bool are_words = pending == &pending_words_;
    auto& under_way = are_words ? words_ : bursts_;
    while (!pending->empty() && pending->front()->not_before <= now &&
           under_way.size() < (are_words ? most_words_ : most_bursts_)) {
      mesh_access& next = *pending->front();
      pending->pop_front();
      under_way.push_back(&next);
      launch(next, now);
    }
  }
}

void request_side::launch(mesh_access& access, cycle_t now) {
  access.transaction = is_reduction(access.op)
                           ? axi_tag::of_reduction(access.address, access.is_word)
                           : access.pool_index;
  if (access.is_read) return links_.queue(now, req, address_flit(access, axi_channel::ar));
  if (access.is_word) return send_word(access, now);
  access.not_before = now;
  writes_.push_back(&access);
}

flit request_side::address_flit(const mesh_access& access, axi_channel channel) {
  flit sent;
  sent.payload = tile_.payloads.take();
  sent.set_data(0, narrow_bytes);
  sent.tag = axi_tag::of(channel, access.transaction);
  sent.destination = access.destination;
  sent.source = tile_.here;
  sent.mask = access.position_mask;
  sent.op = is_reduction(access.op) ? flit_op::select_aw : access.op;
  axi_header header;
  header.address = access.address;
  header.bytes = access.bytes;
  header.is_wide = !access.is_word;
  if (access.is_atomic) {
    header.is_atomic = true;
    const auto& atomic = *access.payload->get_extension<atomic_extension>();
    header.operation = atomic.operation;
    header.operand = atomic.operand;
    header.expected = atomic.expected;
  }
  std::memcpy(tile_.payloads.at(sent.payload).bytes.data(), &header, sizeof header);
  return sent;
}

// Takes the tile's own copy of a multicast that names this tile too. Returns whether the flit also
// goes to others.
bool request_side::keep_copy(const flit& sent, interface_link on) {
  if (tile_.loops_back || sent.op != flit_op::multicast ||
      !is_member(tile_.here, sent.destination, sent.mask))
    return true;
  const bool has_others = sent.mask != mesh_position{};
  if (has_others) tile_.payloads.share(sent.payload, 1);
  own_.take(sent, on);
  return has_others;
}

// An atomic has no W: its operand goes with the address.
void request_side::send_word(mesh_access& access, cycle_t due) {
  why_.count_flit_sent();
  why_.sent(access);
  const flit address = address_flit(access, axi_channel::aw);
  if (keep_copy(address, req)) links_.queue(due, req, address);
  if (access.is_atomic) return;
  flit beat = address_flit(access, axi_channel::w);
  beat.op = access.op;
  beat.set_data(access.bytes, narrow_bytes);
  auto& block = tile_.payloads.at(beat.payload);
  block.words[0] = 0;
  std::memcpy(block.bytes.data(), access.payload->get_data_ptr(), access.bytes);
  if (keep_copy(beat, req)) links_.queue(due, req, beat);
}

flit request_side::data_flit(mesh_access& access, cycle_t now) {
  flit sent;
  sent.payload = next_beat(access, now);
  sent.set_data(beat_bytes(access, access.sent - 1), flit_payload_bytes);
  sent.tag = axi_tag::of(axi_channel::w, access.transaction);
  sent.destination = access.destination;
  sent.source = tile_.here;
  sent.mask = access.position_mask;
  sent.op = access.op;
  if (is_reduction(access.op)) sent.set_ends(access.sent == 1, access.sent == access.beats);
  tile_.counters.stored += beat_bytes(access, access.sent - 1);
  return sent;
}

// The AW of a burst, then its beats.
void request_side::send_beat(cycle_t now) {
  mesh_access& access = *writes_.front();
  const flit sent =
      access.sent == 0 ? address_flit(access, axi_channel::aw) : data_flit(access, now);
  why_.count_flit_sent();
  if (access.sent == access.beats) why_.sent(access);
  if (keep_copy(sent, wide)) links_.send(sent, wide, now);
  if (++access.sent > access.beats) writes_.pop_front();
}

// Bytes of the burst in that beat of it.
std::uint32_t request_side::beat_bytes(const mesh_access& access, std::uint32_t beat) {
  return std::min<std::uint32_t>(flit_payload_bytes, access.bytes - beat * flit_payload_bytes);
}

payload_handle request_side::next_beat(mesh_access& access, cycle_t now) {
  if (access.stream) return access.stream->take_beat(now);
  if (!tile_.carries_data) return 0;
  const payload_handle taken = tile_.payloads.take();
  const std::uint32_t done = (access.sent - 1) * flit_payload_bytes;
  const std::uint32_t bytes = beat_bytes(access, access.sent - 1);
  auto& block = tile_.payloads.at(taken);
  block.words = {};
  std::memcpy(block.bytes.data(), access.payload->get_data_ptr() + done, bytes);
  return taken;
}

// The oldest access of that transaction; members of a reduction know it by its tag.
mesh_access* request_side::find(std::uint32_t transaction) const {
  for (const auto* all : {&words_, &bursts_})
    for (mesh_access* each : *all)
      if (each->transaction == transaction && !each->is_finished) return each;
  return nullptr;
}

// None when a flit went astray: on a mesh that is put together wrong.
mesh_access* request_side::asked_for(const flit& answer) {
  mesh_access* const found = find(axi_tag::transaction(answer.tag));
  if (found) return found;
  tile_.owner.sim().service<run_control>().fail(
      fmt::format("{}: an answer from ({}, {}) to nothing that was asked", tile_.owner.path(),
                  answer.source.x, answer.source.y));
  tile_.payloads.give_back(answer.payload);
  return nullptr;
}

void request_side::take_response(const flit& arrived, cycle_t now) {
  mesh_access* const asked = asked_for(arrived);
  if (!asked) return;
  mesh_access& access = *asked;
  access.is_error = arrived.payload && tile_.payloads.at(arrived.payload).words[0] != axi_okay;
  tile_.payloads.give_back(arrived.payload);
  access.is_finished = true;
  finished_.emplace_back(now + tile_.latency, &access);
}

void request_side::take_beat(const flit& arrived, cycle_t now) {
  mesh_access* const asked = asked_for(arrived);
  if (!asked) return;
  mesh_access& access = *asked;
  if (!access.is_word)
    (tile_.map.is_in_submesh(access.address) ? tile_.counters.written : tile_.counters.loaded) +=
        beat_bytes(access, access.received);
  ++access.received;
  why_.beat(access, now + tile_.latency);
  put_beat(access, arrived, now + tile_.latency);
  if (arrived.mask.x != axi_okay) access.is_error = true;  // a unicast has no mask
  if (access.received < access.beats) return;
  access.is_finished = true;
  finished_.emplace_back(now + tile_.latency, &access);
}

// The latest of those received goes to whoever asked.
void request_side::put_beat(mesh_access& access, const flit& arrived, cycle_t available) {
  if (access.stream) {
    const bool is_end = access.received == 1 || access.received == access.beats;
    cause none;
    const running_cause arriving(is_end ? access.why : none);
    return access.stream->put_beat(arrived.payload, available);
  }
  const std::uint32_t beat = access.received - 1;
  if (access.is_word) access.is_error = tile_.payloads.at(arrived.payload).words[1] != axi_okay;
  if (arrived.payload)
    std::memcpy(access.payload->get_data_ptr() + beat * flit_payload_bytes,
                tile_.payloads.at(arrived.payload).bytes.data(), beat_bytes(access, beat));
  tile_.payloads.give_back(arrived.payload);
}

void request_side::finish_due(cycle_t now) {
  while (!finished_.empty() && finished_.front().first <= now) {
    mesh_access& done = *finished_.front().second;
    finished_.pop_front();
    finish(done);
  }
}

void request_side::wake_for_finished(cycle_t now) {
  if (!finished_.empty()) tile_.clock.wake(std::max(now + 1, finished_.front().first));
}

void request_side::finish(mesh_access& done) {
  auto& under_way = done.is_word ? words_ : bursts_;
  under_way.erase(std::find(under_way.begin(), under_way.end(), &done));
  if (done.is_error) ++tile_.counters.errors;
  why_.end(done);
  client_->access_ends(done);
}

cycle_t request_side::next_write() {
  if (writes_.empty()) return never;
  const mesh_access& oldest = *writes_.front();
  if (oldest.sent == 0 || !oldest.stream) return oldest.not_before;
  return std::max(oldest.not_before, oldest.stream->next_beat(tile_.clock));
}

std::string request_side::waiting_for() const {
  std::string text;
  for (const auto* all : {&words_, &bursts_})
    for (const mesh_access* each : *all) {
      if (each->is_finished) continue;
      const std::uint32_t flits = each->beats + (each->is_read ? 0 : 1);
      const bool is_leaving = each->sent < flits && !each->is_word;
      text += fmt::format(
          "{}the response to a {} of {} B at {:#x} ({}{})", text.empty() ? "" : ", ",
          each->is_read ? "read" : "write", each->bytes, each->address, name_of(each->op),
          is_leaving ? fmt::format(", {} of {} flits sent", each->sent, each->beats + 1) : "");
    }
  return text;
}

}  // namespace heddle
