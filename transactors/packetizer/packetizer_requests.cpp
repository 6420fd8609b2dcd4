// The packetizer's memory-plane side: accesses become request packets, responses complete them.
#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "platform/poll/poll_question.hpp"
#include "platform/registers/address_name_extension.hpp"
#include "platform/time/thread_wait.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/memory/target_declaration.hpp"
#include "transactors/packet/vc_partition.hpp"
#include "transactors/packetizer/packetizer.hpp"

namespace heddle {

namespace {

// The response to an access that a packet cannot carry; TLM_OK_RESPONSE where it can.
tlm::tlm_response_status refusal(const tlm::tlm_generic_payload& payload) {
  const unsigned bytes = payload.get_data_length();
  if (payload.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (payload.get_streaming_width() < bytes || bytes == 0) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (!payload.get_data_ptr()) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  if (payload.is_read() || payload.is_write()) return tlm::TLM_OK_RESPONSE;
  const auto* atomic = payload.get_extension<atomic_extension>();
  const bool is_one_word = atomic->fits(bytes) && payload.get_address() % bytes == 0;
  return is_one_word ? tlm::TLM_OK_RESPONSE : tlm::TLM_BURST_ERROR_RESPONSE;
}

bool has_word(const tlm::tlm_generic_payload& payload) {
  const auto* bulk = payload.get_extension<bulk_extension>();
  return bulk && bulk->word.bytes != 0;
}

bool is_known_to_devices(const tlm::tlm_generic_payload& payload) {
  if (payload.get_command() != tlm::TLM_IGNORE_COMMAND) return !has_word(payload);
  const auto* atomic = payload.get_extension<atomic_extension>();
  return !has_word(payload) && atomic->is_add_of_64(payload.get_data_length());
}

bool is_inside(const address_window& window, std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t offset = address - window.base;
  return offset < window.size && bytes <= window.size - offset;
}

// The access lies in the window, and so does the word behind its data, if there is one.
bool is_inside(const address_window& window, const tlm::tlm_generic_payload& payload) {
  if (!is_inside(window, payload.get_address(), payload.get_data_length())) return false;
  if (!has_word(payload)) return true;
  const word_behind& word = payload.get_extension<bulk_extension>()->word;
  return is_inside(window, word.address, word.bytes);
}

// The word travels behind the data of the last packet.
void carry_word(bulk_extension& bulk, packet& p) {
  auto& behind = p.header.attach<word_header>();
  behind.word = bulk.word;
  p.wire_bytes += behind.wire_bytes();
  bulk.is_word_taken = true;
}

// Bytes that an atomic sends along with its address.
std::uint32_t carried_bytes(const atomic_extension& atomic, std::uint32_t bytes) {
  return atomic.operation == atomic_operation::compare_and_swap ? 2 * bytes : bytes;
}

}  // namespace

void packetizer::b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (is_plain_ignore(payload)) return payload.set_response_status(tlm::TLM_OK_RESPONSE);
  cause* const asking = running_cause::now();
  const cause_aside while_waiting;
  wait_until(now_fs() + to_fs(delay));
  delay = sc_core::SC_ZERO_TIME;
  name_registers(payload);
  const auto* posted = payload.get_extension<posted_extension>();
  if (posted && posted_access::fits(payload)) return post(payload, *posted->issuer, asking);
  sc_core::sc_event done;
  fabric_access& access = accesses_.take();
  access.payload = &payload;
  access.done = &done;
  access.answer = asking;
  if (asking) access.why = *asking;
  // A caller may use a payload again as it came back.
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  begin(access);
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) sc_core::wait(done);
}

// The initiator goes on at once: the packetizer works on a copy. An atomic that cannot be sent is
// refused before that, while the initiator can still name the mistake.
void packetizer::post(tlm::tlm_generic_payload& payload, posted_issuer& issuer,
                      const cause* asking) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
    const tlm::tlm_response_status refused = refusal_of_posted_atomic(payload);
    if (refused != tlm::TLM_OK_RESPONSE) {
      ++counters_.errors;
      return payload.set_response_status(refused);
    }
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  if (auto* atomic = payload.get_extension<atomic_extension>()) atomic->is_performed = true;
  posted_access& copy = posted_.take();
  copy.copy(payload);
  copy.issuer = &issuer;
  fabric_access& access = accesses_.take();
  access.payload = &copy.payload;
  access.posted = &copy;
  if (asking) access.why = *asking;
  issuer.posted_begins();
  begin(access);
}

tlm::tlm_response_status packetizer::refusal_of_posted_atomic(
    const tlm::tlm_generic_payload& payload) const {
  const address_window* const window = fabric_.find_window(payload.get_address());
  if (window && fabric_.is_inc(window->endpoint) && !is_known_to_devices(payload))
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  return refusal(payload);
}

// Questions end here: they are about what the bus reaches at once.
unsigned packetizer::transport_dbg(int, tlm::tlm_generic_payload& payload) {
  if (auto* declaration = payload.get_extension<target_declaration>())
    declaration->knows_extensions = true;
  if (auto* asked = payload.get_extension<address_name_extension>())
    if (name_address(*asked, payload.get_address())) return payload.get_data_length();
  if (!payload.is_read() && !payload.is_write()) return 0;
  if (payload.get_extension<poll_question>()) return 0;
  const address_window* window = fabric_.find_window(payload.get_address());
  return window && reaches(window->endpoint) ? debug_far(sim(), payload) : 0;
}

unsigned packetizer::debug_far(simulation& sim, tlm::tlm_generic_payload& payload) {
  const address_window* const window = sim.service<fabric>().find_window(payload.get_address());
  if (!window) return 0;
  const auto& others = sim.service<packetizer_directory>().by_endpoint;
  const auto there = others.find(window->endpoint);
  return there == others.end() ? 0 : there->second->out_->transport_dbg(payload);
}

tlm::tlm_sync_enum packetizer::nb_transport_fw(int from, tlm::tlm_generic_payload& payload,
                                               tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) responses_.end(from);
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  if (is_plain_ignore(payload)) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  fabric_access& access = accesses_.take();
  access.payload = &payload;
  access.initiator = from;
  access.why = running_cause::copy();
  delayed_.push(now_fs() + to_fs(delay), &access);
  return tlm::TLM_ACCEPTED;
}

void packetizer::begin_delayed() {
  const fs_t now = now_fs();
  for (fabric_access* due = nullptr; delayed_.pop_due(now, due);) begin(*due);
}

void packetizer::begin(fabric_access& access) {
  access.begun = now_fs();
  const tlm::tlm_generic_payload& payload = *access.payload;
  const std::uint64_t first = payload.get_address();
  const address_window* window = fabric_.find_window(first);
  const bool is_served = window && is_inside(*window, payload) && reaches(window->endpoint);
  const tlm::tlm_response_status refused = refusal(payload);
  if (refused != tlm::TLM_OK_RESPONSE)
    access.error = refused;
  else if (!is_served)
    access.error = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  else if (fabric_.is_inc(window->endpoint) && !is_known_to_devices(payload))
    access.error = tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (access.error != tlm::TLM_OK_RESPONSE) {
    if (access.is_nonblocking()) {
      tlm::tlm_phase phase = tlm::END_REQ;
      sc_core::sc_time delay;
      in_[access.initiator]->nb_transport_bw(*access.payload, phase, delay);
    }
    complete(access);
    return;
  }
  access.destination = window->endpoint;
  access.unissued = payload.get_data_length();
  pending_.push(access);
  issue_pending();
}

void packetizer::issue_pending() {
  while (!pending_.empty()) {
    fabric_access& access = pending_.front();
    while (access.unissued > 0)
      if (!issue_piece(access)) return;
    if (is_entering()) return;
    pending_.pop();
    const running_cause taken(access.why);
    if (!access.is_nonblocking()) continue;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay;
    in_[access.initiator]->nb_transport_bw(*access.payload, phase, delay);
  }
}

// Sends the next train of an access. False: it has to wait for tags or for room in the queue.
bool packetizer::issue_piece(fabric_access& access) {
  if (is_entering()) return false;
  if (!piece_in_turn_.through) piece_in_turn_ = next_piece(access);
  if (outstanding_ + piece_in_turn_.packets > outstanding_limit_) {
    if (!access.waits_for_tags) ++counters_.tag_stalls;
    access.waits_for_tags = true;
    return false;
  }
  if (waits_for_queue(*piece_in_turn_.through, queue_limit_ - 1)) {
    access.waits_for_tags = false;
    return false;
  }
  const piece next = std::exchange(piece_in_turn_, {});
  side& through = *next.through;
  packet& p = make_request(access, next);
  if (next.packets > 1) entering_ = {&through, &p};
  access.waits_for_tags = false;
  access.issued += next.bytes;
  access.unissued -= next.bytes;
  ++access.in_flight;
  outstanding_ += next.packets;
  counters_.peak_outstanding.raise_to(outstanding_);
  outstanding_trace_.set(outstanding_, now_fs());
  if (send_overhead_ != 0) {
    prepare(through, p);
    return true;
  }
  through.waiting.push(p);
  through.wake.at(now_fs());  // not at once: sending calls back into issue_pending()
  return true;
}

// A train ends with the access, after `train` packets, or where addresses change to another port.
// How an access is cut into packets does not depend on how many of them share a train; a train has
// one short packet at most, because that is what packet_format knows the padding of; so packets
// that are shorter than the MTU make no train unless both are whole flits.
packetizer::piece packetizer::next_piece(const fabric_access& access) {
  piece next;
  next.address = access.payload->get_address() + access.issued;
  const auto* bulk = access.payload->get_extension<bulk_extension>();
  const bool is_cut = bulk && bulk->packet_bytes > 0;
  const std::uint32_t most = is_cut ? std::min(bulk->packet_bytes, format_.mtu) : format_.mtu;
  const std::uint32_t offset = is_cut ? (bulk->packet_offset + access.issued) % most : 0;
  const std::uint64_t block_left = routes_->ignores_address(access.destination)
                                       ? UINT64_MAX
                                       : interleave_ - next.address % interleave_;
  const bool is_padded =
      most < format_.mtu && (format_.padded(most) != most || format_.padded_mtu != format_.mtu);
  const std::uint64_t longest = std::uint64_t{is_padded ? 1 : train_} * most;
  next.bytes = static_cast<std::uint32_t>(
      std::min<std::uint64_t>({access.unissued, block_left, longest - offset}));
  const std::uint32_t end = offset + next.bytes;
  if (offset > 0 && end > most && end % most != 0) next.bytes = most - offset;
  next.packets = (offset + next.bytes + most - 1) / most;
  next.through = &side_towards(access.destination, next.address);
  return next;
}

packet& packetizer::make_request(fabric_access& access, const piece& next) {
  tlm::tlm_generic_payload& payload = *access.payload;
  auto* bulk = payload.get_extension<bulk_extension>();
  const endpoint_id to = access.destination;
  packet& p = *take_packet();
  p.created = now_fs();
  p.address = next.address;
  p.payload_bytes = next.bytes;
  p.train = static_cast<std::uint16_t>(next.packets);
  p.source = endpoint_;
  p.destination = to;
  p.tag = tags_.take({&access, &payload, access.issued});
  p.carries_data = !bulk || bulk->is_carried;
  p.step = bulk ? bulk->step : 0;
  state_request(access, bulk, p);
  p.is_inc = fabric_.is_inc(to);
  if (p.is_inc) carry_origin(payload, p);
  p.vc = p.is_inc ? inc_vc_of(p.kind) : vc_partition(next.through->port.vcs()).of_flow(p.kind, to);
  explain_piece(access, p);
  return p;
}

// Fills in the kind of the request, its bytes on the wire and the data that it carries.
void packetizer::state_request(const fabric_access& access, bulk_extension* bulk, packet& p) const {
  tlm::tlm_generic_payload& payload = *access.payload;
  const std::uint32_t bytes = p.payload_bytes;
  if (payload.is_read()) {
    p.kind = packet_kind::read_request;
    p.wire_bytes = p.train * format_.header;
    if (const auto* reduction = payload.get_extension<multimem_extension>()) {
      p.reduced_type = static_cast<std::uint8_t>(reduction->type);
      p.reduced_by = static_cast<std::uint8_t>(reduction->op);
    }
  } else if (payload.is_write()) {
    p.kind = packet_kind::write_request;
    p.wire_bytes = format_.wire_bytes(bytes, p.train);
    if (bulk && bulk->slice) {
      p.payload = bulk->slice.from(access.issued);
    } else if (p.carries_data) {
      p.payload = payload_slice::allocate(bytes);
      std::memcpy(p.payload.data(), payload.get_data_ptr() + access.issued, bytes);
    }
    if (bulk && bulk->word.bytes != 0 && bytes == access.unissued) carry_word(*bulk, p);
  } else {
    carry(*payload.get_extension<atomic_extension>(), bytes, p);
  }
}

// Carries the operand, then, for a compare-and-swap, the expected value. Both are as wide as the
// word.
void packetizer::carry(const atomic_extension& atomic, std::uint32_t bytes, packet& p) const {
  p.kind = packet_kind::atomic_request;
  p.reduced_by = static_cast<std::uint8_t>(atomic.operation);
  p.payload_bytes = carried_bytes(atomic, bytes);
  p.wire_bytes = format_.wire_bytes(p.payload_bytes, 1);
  p.payload = payload_slice::allocate(p.payload_bytes);
  std::memcpy(p.payload.data(), &atomic.operand, bytes);
  if (p.payload_bytes > bytes) std::memcpy(p.payload.data() + bytes, &atomic.expected, bytes);
}

// An access that was held back goes on because of whatever made room for it.
void packetizer::explain_piece(fabric_access& access, packet& issued) {
  if (!access.why) return;
  if (access.why.when() < now_fs()) {
    if (access.waits_for_tags)
      access.why.join(answered_);
    else if (started_)
      access.why.join(started_->port.latest_start(endpoint_));
  }
  access.why.then(category::queueing, site(), now_fs());
  issued.explain(access.why);
}

void packetizer::take_response(packet& response) {
  cause why = std::move(response.why);
  if (why && !pending_.empty()) answered_ = why;
  const running_cause handling(why);
  const tag_table::entry entry = tags_.give_back(response.tag);
  fabric_access& access = *entry.access;
  if (response.is_error)
    access.error = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  else if (response.payload)
    deliver(response, *access.payload, entry.offset);
  take_origin(response, *access.payload);
  outstanding_ -= response.train;
  outstanding_trace_.set(outstanding_, now_fs());
  give_back(&response);
  --access.in_flight;
  if (access.in_flight == 0 && access.unissued == 0) complete(access);
  if (!pending_.empty()) issue_pending();
}

// All bytes of a read that came in one object are handed on as they are.
void packetizer::deliver(packet& response, tlm::tlm_generic_payload& to, std::uint32_t offset) {
  const bool is_all = offset == 0 && response.payload_bytes == to.get_data_length();
  auto* const bulk = is_all && to.is_read() ? to.get_extension<bulk_extension>() : nullptr;
  if (bulk && bulk->may_lend && bulk->is_slice_of(to))
    bulk->slice = std::move(response.payload);
  else
    std::memcpy(to.get_data_ptr() + offset, response.payload.data(), response.payload_bytes);
}

void packetizer::complete(fabric_access& access) {
  assert(pending_.empty() || &access != &pending_.front());
  tlm::tlm_generic_payload& payload = *access.payload;
  payload.set_response_status(access.error);
  if (access.error != tlm::TLM_OK_RESPONSE)
    ++counters_.errors;
  else
    access_latency_.note(now_fs() - access.begun);
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND)
    payload.get_extension<atomic_extension>()->is_performed = access.error == tlm::TLM_OK_RESPONSE;
  const int initiator = access.initiator;
  sc_core::sc_event* done = access.done;
  posted_access* posted = access.posted;
  if (access.answer) running_cause::join_into(*access.answer);
  accesses_.give_back(access);
  if (done) return done->notify();
  if (posted) {
    posted_issuer& issuer = *posted->issuer;
    const std::uint64_t address = payload.get_address();
    const bool is_ok = payload.is_response_ok();
    posted_.give_back(*posted);  // with the payload
    return issuer.posted_ends(address, is_ok);
  }
  responses_.respond(initiator, payload);
}

}  // namespace heddle
