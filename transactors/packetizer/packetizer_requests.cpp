// The packetizer's memory-plane side: accesses become request packets, responses complete them.
#include <fmt/format.h>

#include <cstring>

#include "platform/unit/simulation.hpp"
#include "transactors/packetizer/packetizer.hpp"

namespace heddle {

namespace {

// What a packet cannot carry: TLM_OK_RESPONSE when it can.
tlm::tlm_response_status refusal(const tlm::tlm_generic_payload& payload) {
  const unsigned bytes = payload.get_data_length();
  if (payload.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (payload.get_streaming_width() < bytes || bytes == 0) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.is_read() || payload.is_write()) return tlm::TLM_OK_RESPONSE;
  if (!payload.get_extension<atomic_add_extension>()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const bool is_one_word = bytes == 8 && payload.get_address() % 8 == 0;
  return is_one_word ? tlm::TLM_OK_RESPONSE : tlm::TLM_BURST_ERROR_RESPONSE;
}

}  // namespace

void packetizer::b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  sc_core::sc_event done;
  fabric_access& access = accesses_.take();
  access.payload = &payload;
  access.done = &done;
  begin(access);
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) sc_core::wait(done);
}

unsigned packetizer::transport_dbg(int, tlm::tlm_generic_payload&) {
  return 0;
}

tlm::tlm_sync_enum packetizer::nb_transport_fw(int from, tlm::tlm_generic_payload& payload,
                                               tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  while (responses_.size() <= static_cast<std::size_t>(from)) responses_.emplace_back();
  if (phase == tlm::END_RESP) {
    responses_[from].is_under_way = false;
    respond(from);
  }
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  fabric_access& access = accesses_.take();
  access.payload = &payload;
  access.initiator = from;
  delayed_.push(now_fs() + to_fs(delay), &access);
  return tlm::TLM_ACCEPTED;
}

void packetizer::begin_delayed() {
  const fs_t now = now_fs();
  for (fabric_access* due = nullptr; delayed_.pop_due(now, due);) begin(*due);
}

void packetizer::begin(fabric_access& access) {
  const tlm::tlm_generic_payload& payload = *access.payload;
  const std::uint64_t first = payload.get_address();
  const address_window* window = fabric_.find_window(first);
  const bool is_served = window &&
                         payload.get_data_length() <= window->base + window->size - first &&
                         !lanes_towards_[window->endpoint].empty();
  const tlm::tlm_response_status refused = refusal(payload);
  if (refused != tlm::TLM_OK_RESPONSE)
    access.error = refused;
  else if (!is_served)
    access.error = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (access.error != tlm::TLM_OK_RESPONSE) {
    access.issued = payload.get_data_length();
    if (!access.done) {
      tlm::tlm_phase phase = tlm::END_REQ;
      sc_core::sc_time delay;
      in_[access.initiator]->nb_transport_bw(*access.payload, phase, delay);
    }
    complete(access);
    return;
  }
  access.destination = window->endpoint;
  pending_.push(access);
  issue_pending();
}

void packetizer::issue_pending() {
  while (!pending_.empty()) {
    fabric_access& access = pending_.front();
    while (access.issued < access.payload->get_data_length())
      if (!issue_piece(access)) return;
    pending_.pop();
    if (access.done) continue;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay;
    in_[access.initiator]->nb_transport_bw(*access.payload, phase, delay);
  }
}

// Sends the next train of an access, or says that it has to wait for tags or for queue space.
bool packetizer::issue_piece(fabric_access& access) {
  tlm::tlm_generic_payload& payload = *access.payload;
  const std::uint64_t first = payload.get_address() + access.issued;
  const std::uint64_t block_left = interleave_ - first % interleave_;
  const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(
      {payload.get_data_length() - access.issued, block_left, std::uint64_t{train_} * mtu_}));
  const std::uint32_t packets = (bytes + mtu_ - 1) / mtu_;
  if (outstanding_ + packets > outstanding_limit_) {
    ++counters_.tag_stalls;
    return false;
  }
  const endpoint_id to = access.destination;
  lane& through = lane_towards(to, first);
  if (through.waiting.packets() >= queue_limit_) return false;

  packet& p = *take_packet();
  p.address = first;
  p.payload_bytes = bytes;
  p.train = static_cast<std::uint16_t>(packets);
  p.source = endpoint_;
  p.destination = to;
  p.vc = static_cast<std::uint8_t>(vc_of(through, false, to));
  p.tag = tags_.take({&access, access.issued});
  const auto* bulk = payload.get_extension<bulk_extension>();
  p.carries_data = !bulk || bulk->is_carried;
  if (payload.is_read()) {
    p.kind = packet_kind::read_request;
    p.wire_bytes = packets * header_;
  } else {
    p.kind = payload.is_write() ? packet_kind::write_request : packet_kind::atomic_request;
    p.wire_bytes = wire_bytes(bytes, packets);
    const void* source = payload.get_data_ptr() + access.issued;
    if (p.kind == packet_kind::atomic_request)
      source = &payload.get_extension<atomic_add_extension>()->operand;
    if (bulk && bulk->slice) {
      p.payload = bulk->slice.from(access.issued);
    } else if (p.carries_data) {
      p.payload = payload_slice::allocate(bytes);
      std::memcpy(p.payload.data(), source, bytes);
    }
  }
  access.issued += bytes;
  ++access.in_flight;
  outstanding_ += packets;
  counters_.peak_outstanding.raise_to(outstanding_);
  outstanding_trace_.set(outstanding_, now_fs());
  through.waiting.push(p);
  through.wake.at(now_fs());  // not at once: sending calls back into issue_pending()
  return true;
}

void packetizer::take_response(packet& response) {
  const tag_table::entry entry = tags_.give_back(response.tag);
  fabric_access& access = *entry.access;
  if (response.is_error)
    access.error = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  else if (response.payload)
    std::memcpy(access.payload->get_data_ptr() + entry.offset, response.payload.data(),
                response.payload_bytes);
  outstanding_ -= response.train;
  outstanding_trace_.set(outstanding_, now_fs());
  give_back(&response);
  --access.in_flight;
  if (access.in_flight == 0 && access.issued == access.payload->get_data_length()) complete(access);
  if (!pending_.empty()) issue_pending();
}

void packetizer::complete(fabric_access& access) {
  tlm::tlm_generic_payload& payload = *access.payload;
  payload.set_response_status(access.error);
  if (access.error != tlm::TLM_OK_RESPONSE) ++counters_.errors;
  const int initiator = access.initiator;
  sc_core::sc_event* done = access.done;
  accesses_.give_back(access);
  if (done) {
    done->notify();
    return;
  }
  responses_[initiator].waiting.push_back(&payload);
  respond(initiator);
}

// One response at a time for each initiator: the next waits for END_RESP.
void packetizer::respond(int initiator) {
  response_gate& gate = responses_[initiator];
  while (!gate.is_under_way && !gate.waiting.empty()) {
    tlm::tlm_generic_payload& payload = *gate.waiting.front();
    gate.waiting.pop_front();
    gate.is_under_way = true;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    const auto result = in_[initiator]->nb_transport_bw(payload, phase, delay);
    if (result != tlm::TLM_ACCEPTED) gate.is_under_way = false;  // END_RESP is implied
  }
}

}  // namespace heddle
