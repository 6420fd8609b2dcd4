// Accesses that begin at this tile: from the memory plane to AR, AW and W, and back from R and B.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/mesh/ni/network_interface.hpp"
#include "platform/services/run_control.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

// A thread waits for the response, unless it posts a word.
void network_interface::b_transport(int, tlm::tlm_generic_payload& payload,
                                    sc_core::sc_time& delay) {
  const fs_t when = now_fs() + to_fs(delay);
  cause* const asking = running_cause::now();
  if (const auto* posted = payload.get_extension<posted_extension>();
      posted && posted_access::fits(payload))
    return post(payload, *posted->issuer, when);
  mesh_access& access = accesses_.take();
  access.initiator = -1;
  if (!prepare(access, payload)) return accesses_.give_back(access);
  const cause_aside while_waiting;
  if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  begin(access, when);
  while (!access.is_finished) sc_core::wait(access.done);
  if (asking) *asking = access.why;
  accesses_.give_back(access);
}

void network_interface::post(const tlm::tlm_generic_payload& payload, posted_issuer& issuer,
                             fs_t when) {
  posted_access& posted = posted_.take();
  posted.copy(payload);
  posted.issuer = &issuer;
  mesh_access& access = accesses_.take();
  access.initiator = -1;
  auto& original = const_cast<tlm::tlm_generic_payload&>(payload);
  if (!prepare(access, posted.payload)) {
    original.set_response_status(posted.payload.get_response_status());
    posted_.give_back(posted);
    return accesses_.give_back(access);
  }
  access.posted = &posted;
  original.set_response_status(tlm::TLM_OK_RESPONSE);
  issuer.posted_begins();
  begin(access, when);
}

tlm::tlm_sync_enum network_interface::nb_transport_fw(int from, tlm::tlm_generic_payload& payload,
                                                      tlm::tlm_phase& phase,
                                                      sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;  // END_RESP
  mesh_access& access = accesses_.take();
  access.initiator = from;
  if (!prepare(access, payload)) {
    accesses_.give_back(access);
    return tlm::TLM_COMPLETED;
  }
  begin(access, now_fs() + to_fs(delay));
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

// Fills the access in; sets an error response and returns false where nothing can be done.
bool network_interface::prepare(mesh_access& access, tlm::tlm_generic_payload& payload) {
  access.payload = &payload;
  access.stream = nullptr;
  access.posted = nullptr;
  access.address = payload.get_address();
  access.bytes = payload.get_data_length();
  access.op = flit_op::unicast;
  access.mask = 0;
  access.is_read = payload.is_read();
  access.is_atomic = payload.get_extension<atomic_extension>() != nullptr;
  access.is_word = access.bytes <= 8;
  access.beats = (access.bytes + flit_payload_bytes - 1) / flit_payload_bytes;
  access.sent = access.received = 0;
  access.is_error = access.is_finished = false;
  access.why = running_cause::copy();
  if (const auto* beats = payload.get_extension<beat_extension>()) {
    access.stream = beats->stream;
    access.op = beats->op;
    access.mask = beats->mask;
    access.is_word = false;
  }
  bool is_stated = true;
  if (access.address >= alias_) {
    access.address -= alias_;
    access.mask = regs_.mask.value();
    access.op = static_cast<flit_op>(regs_.operation.op.get());
    is_stated = access.op == flit_op::multicast || access.op == flit_op::lsb_and;
  }
  const auto* atomic = payload.get_extension<atomic_extension>();
  const bool is_odd_atomic = atomic && !atomic->fits(access.bytes);
  if (payload.get_byte_enable_ptr() || payload.get_streaming_width() < access.bytes ||
      access.bytes == 0 || access.bytes > longest_ || is_odd_atomic) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    ++counters_.errors;
    return false;
  }
  if (is_stated ? aim(access) : refuse_unstated(access)) return true;
  if (auto* beats = payload.get_extension<beat_extension>()) beats->refusal = why_nowhere(access);
  payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  ++counters_.errors;
  return false;
}

// nullptr: it is somewhere, and the refusal of a collective was reported.
const char* network_interface::why_nowhere(const mesh_access& access) const {
  const auto first = map_.node_of(access.address);
  const auto last = map_.node_of(access.address + access.bytes - 1);
  if (!first || !last) return "no tile has the address";
  if (*first != *last) return "it goes beyond the end of a tile";
  if (access.op == flit_op::unicast) return "the address is this tile's own";
  return nullptr;
}

// Where the flits go and which nodes their mask names.
bool network_interface::aim(mesh_access& access) {
  const auto first = map_.node_of(access.address);
  const auto last = map_.node_of(access.address + access.bytes - 1);
  if (!first || !last || *first != *last) return false;
  access.destination = *first;
  access.position_mask = {};
  // What is this tile's own comes here only where the tile has nothing at the address.
  if (access.op == flit_op::unicast) return access.destination != here_;
  ++counters_.collectives;
  if (access.is_read || access.is_atomic)
    return refuse(access, "reads and atomics are not collective");
  const auto mask = map_.position_mask(access.mask);
  if (!mask)
    return refuse(access,
                  fmt::format("its mask {:#x} has bits that are no coordinate's: tiles are {:#x} "
                              "addresses apart, there are {} x {}",
                              access.mask, map_.tile_size(), map_.width(), map_.height()));
  if (access.op == flit_op::multicast && !map_.is_in_submesh(access.address))
    return refuse(access, "its address is not one of the submesh's");
  if (is_reduction(access.op) && !map_.holds(here_))
    return refuse(access, "this tile is not part of the submesh");
  access.position_mask = *mask;
  return true;
}

// By name, because the error response that the initiator gets does not say why.
bool network_interface::refuse(const mesh_access& access, const std::string& what) {
  sim().service<run_control>().fail(fmt::format("{}: a {} of {} B at {:#x}: {}", path(),
                                                name_of(access.op), access.bytes, access.address,
                                                what));
  return false;
}

bool network_interface::refuse_unstated(const mesh_access& access) {
  sim().service<run_control>().fail(fmt::format(
      "{}: a collective access of {} B at {:#x} is refused: its register `operation` "
      "is {}: write MULTICAST or LSB_AND there, and `mask`, first",
      path(), access.bytes, access.address,
      access.op == flit_op::unicast ? "NONE" : fmt::format("{}", static_cast<int>(access.op))));
  return false;
}

void network_interface::begin(mesh_access& access, fs_t when) {
  ++(access.is_word ? counters_.words : counters_.bursts);
  access.not_before = cycle_after(when) + latency_;
  explain_begin(access);
  (access.is_word ? pending_words_ : pending_bursts_).push_back(&access);
  clock_.wake(access.not_before);
}

// Accesses leave in order, while the transactions under way are few enough.
void network_interface::issue(cycle_t now) {
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

void network_interface::launch(mesh_access& access, cycle_t now) {
  access.transaction =
      is_reduction(access.op) ? axi_tag::of_reduction(access.address, access.is_word) : access.slot;
  if (access.is_read) return due_[req].push(now, address_flit(access, axi_channel::ar));
  if (access.is_word) return send_word(access, now);
  access.not_before = now;
  writes_.push_back(&access);
}

flit network_interface::address_flit(const mesh_access& access, axi_channel channel) {
  flit sent;
  sent.payload = payloads_.take();
  sent.set_data(0, narrow_bytes);
  sent.tag = axi_tag::of(channel, access.transaction);
  sent.destination = access.destination;
  sent.source = here_;
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
  std::memcpy(payloads_.at(sent.payload).bytes.data(), &header, sizeof header);
  return sent;
}

// Of a multicast that names this tile too. Returns whether others are to get the flit.
bool network_interface::keep_copy(const flit& sent, link on, cycle_t now) {
  if (loops_back_ || sent.op != flit_op::multicast ||
      !is_member(here_, sent.destination, sent.mask))
    return true;
  const bool has_others = sent.mask != mesh_position{};
  if (has_others) payloads_.share(sent.payload, 1);
  take_request(sent, on, now);
  return has_others;
}

// An atomic has no W: its operand goes with the address.
void network_interface::send_word(mesh_access& access, cycle_t due) {
  ++flits_sent_;
  explain_sent(access);
  const flit address = address_flit(access, axi_channel::aw);
  if (keep_copy(address, req, due)) due_[req].push(due, address);
  if (access.is_atomic) return;
  flit beat = address_flit(access, axi_channel::w);
  beat.op = access.op;
  beat.set_data(access.bytes, narrow_bytes);
  auto& block = payloads_.at(beat.payload);
  block.words[0] = 0;
  std::memcpy(block.bytes.data(), access.payload->get_data_ptr(), access.bytes);
  if (keep_copy(beat, req, due)) due_[req].push(due, beat);
}

// The AW of a burst, then its beats.
void network_interface::send_beat(mesh_access& access, cycle_t now) {
  flit sent;
  if (access.sent == 0) {
    sent = address_flit(access, axi_channel::aw);
  } else {
    sent.payload = next_beat(access, now);
    sent.set_data(beat_bytes(access, access.sent - 1), flit_payload_bytes);
    sent.tag = axi_tag::of(axi_channel::w, access.transaction);
    sent.destination = access.destination;
    sent.source = here_;
    sent.mask = access.position_mask;
    sent.op = access.op;
    if (is_reduction(access.op)) sent.set_ends(access.sent == 1, access.sent == access.beats);
    counters_.stored += beat_bytes(access, access.sent - 1);
  }
  ++flits_sent_;
  if (access.sent == access.beats) explain_sent(access);
  if (keep_copy(sent, wide, now)) ports_[wide].send(sent, 0, now);
  if (++access.sent > access.beats) writes_.pop_front();
}

// Bytes of the burst in that beat of it.
std::uint32_t network_interface::beat_bytes(const mesh_access& access, std::uint32_t beat) {
  return std::min<std::uint32_t>(flit_payload_bytes, access.bytes - beat * flit_payload_bytes);
}

payload_handle network_interface::next_beat(mesh_access& access, cycle_t now) {
  if (access.stream) return access.stream->take_beat(now);
  if (!carries_data_) return 0;
  const payload_handle taken = payloads_.take();
  const std::uint32_t done = (access.sent - 1) * flit_payload_bytes;
  const std::uint32_t bytes = beat_bytes(access, access.sent - 1);
  auto& block = payloads_.at(taken);
  block.words = {};
  std::memcpy(block.bytes.data(), access.payload->get_data_ptr() + done, bytes);
  return taken;
}

// The oldest access of that transaction; members of a reduction know it by its tag.
mesh_access* network_interface::find(std::uint32_t transaction) {
  for (auto* all : {&words_, &bursts_})
    for (mesh_access* each : *all)
      if (each->transaction == transaction && !each->is_finished) return each;
  return nullptr;
}

// None when a flit went astray: on a mesh that is put together wrong.
mesh_access* network_interface::asked_for(const flit& answer) {
  mesh_access* const found = find(axi_tag::transaction(answer.tag));
  if (found) return found;
  sim().service<run_control>().fail(
      fmt::format("{}: an answer from ({}, {}) to nothing that was asked", path(), answer.source.x,
                  answer.source.y));
  payloads_.give_back(answer.payload);
  return nullptr;
}

void network_interface::take_response(const flit& arrived, cycle_t now) {
  mesh_access* const asked = asked_for(arrived);
  if (!asked) return;
  mesh_access& access = *asked;
  access.is_error = arrived.payload && payloads_.at(arrived.payload).words[0] != axi_okay;
  payloads_.give_back(arrived.payload);
  access.is_finished = true;
  finished_.emplace_back(now + latency_, &access);
}

void network_interface::take_beat(const flit& arrived, cycle_t now) {
  mesh_access* const asked = asked_for(arrived);
  if (!asked) return;
  mesh_access& access = *asked;
  const std::uint32_t done = access.received * flit_payload_bytes;
  if (!access.is_word)
    (map_.is_in_submesh(access.address) ? counters_.written : counters_.loaded) +=
        beat_bytes(access, access.received);
  ++access.received;
  ++beats_taken_;
  explain_beat(access, now + latency_);
  if (access.is_word) {
    const auto& block = payloads_.at(arrived.payload);
    access.is_error = block.words[1] != axi_okay;
    std::memcpy(access.payload->get_data_ptr(), block.bytes.data(), access.bytes);
    payloads_.give_back(arrived.payload);
  } else if (access.stream) {
    const bool is_end = access.received == 1 || access.received == access.beats;
    cause none;
    const running_cause arriving(is_end ? access.why : none);
    access.stream->put_beat(arrived.payload, now + latency_);
  } else {
    if (arrived.payload)
      std::memcpy(access.payload->get_data_ptr() + done, payloads_.at(arrived.payload).bytes.data(),
                  beat_bytes(access, access.received - 1));
    payloads_.give_back(arrived.payload);
  }
  if (arrived.mask.x != axi_okay) access.is_error = true;  // a unicast has no mask
  if (access.received < access.beats) return;
  access.is_finished = true;
  finished_.emplace_back(now + latency_, &access);
}

void network_interface::finish(mesh_access& done) {
  auto& under_way = done.is_word ? words_ : bursts_;
  under_way.erase(std::find(under_way.begin(), under_way.end(), &done));
  if (done.is_error) ++counters_.errors;
  explain_end(done);
  done.payload->set_response_status(done.is_error ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                  : tlm::TLM_OK_RESPONSE);
  cause why = done.why;
  const running_cause finishing(why);
  if (done.posted) {
    posted_access& posted = *done.posted;
    posted.issuer->posted_ends(done.address, !done.is_error);
    posted_.give_back(posted);
    return accesses_.give_back(done);
  }
  if (done.initiator < 0) return done.done.notify(sc_core::SC_ZERO_TIME);  // the thread returns it
  tlm::tlm_generic_payload& payload = *done.payload;
  const int initiator = done.initiator;
  accesses_.give_back(done);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay;
  in_[initiator]->nb_transport_bw(payload, phase, delay);
}

}  // namespace heddle
