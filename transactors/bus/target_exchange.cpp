#include "transactors/bus/target_exchange.hpp"

#include <algorithm>
#include <cstring>

#include "platform/explain/running_cause.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/memory/access.hpp"

namespace heddle {
namespace {

sc_core::sc_time until(fs_t when) {
  const fs_t now = now_fs();
  return to_sc_time(when > now ? when - now : 0);
}

}  // namespace

target_exchange::target_gate& target_exchange::gate_of(int target) {
  while (targets_.size() <= static_cast<std::size_t>(target)) targets_.emplace_back();
  return targets_[static_cast<std::size_t>(target)];
}

target_exchange::initiator_gate& target_exchange::gate_towards(int initiator) {
  while (initiators_.size() <= static_cast<std::size_t>(initiator)) initiators_.emplace_back();
  return initiators_[static_cast<std::size_t>(initiator)];
}

tlm::tlm_sync_enum target_exchange::begin(const route& way, tlm::tlm_generic_payload& payload,
                                          tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const bool is_atomic = way.is_foreign && payload.get_extension<atomic_extension>() != nullptr;
  if (is_atomic && modify_directly(*way.target, payload, delay)) {
    payload.set_address(way.address);
    return tlm::TLM_COMPLETED;
  }
  transaction& sent = open_[&payload];
  sent = {way, payload.get_address(), ++begun_, now_fs() + to_fs(delay), false};
  if (is_atomic) {
    modify_in_thread(payload);
    return tlm::TLM_ACCEPTED;
  }
  target_gate& gate = gate_of(way.to);
  if (gate.is_busy() || !gate.waiting.empty()) {
    gate.waiting.push_back(&payload);
    return tlm::TLM_ACCEPTED;
  }
  const auto result = request(sent, payload, phase, delay);
  if (result == tlm::TLM_ACCEPTED) return result;
  const bool is_answered = result == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP;
  if (is_answered) payload.set_address(way.address);
  if (result == tlm::TLM_COMPLETED) {
    open_.erase(&payload);
    leave(way.to);
  } else if (is_answered) {
    initiator_gate& back = gate_towards(way.from);
    if (!back.responding) {
      back.responding = &payload;
    } else {  // another response is under way
      sent.not_before = now_fs() + to_fs(delay);
      back.waiting.push_back(&payload);
      phase = tlm::END_REQ;
    }
  }
  send_waiting(way.to);
  return result;
}

// After TLM_ACCEPTED the transaction may be over, and `sent` gone.
tlm::tlm_sync_enum target_exchange::request(transaction& sent, tlm::tlm_generic_payload& payload,
                                            tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  target_gate& gate = gate_of(sent.way.to);
  gate.requesting = &payload;
  ++gate.under_way;
  sent.is_at_target = true;
  delay = std::max(delay, until(gate.free_at));
  const auto result = sent.way.target->nb_transport_fw(payload, phase, delay);
  if (result == tlm::TLM_ACCEPTED) return result;
  end_request(gate, payload, phase == tlm::END_REQ ? to_fs(delay) : 0);
  if (result == tlm::TLM_COMPLETED) sent.is_at_target = false;
  return result;
}

void target_exchange::end_request(target_gate& gate, const tlm::tlm_generic_payload& payload,
                                  fs_t delay) {
  if (gate.requesting != &payload) return;
  gate.requesting = nullptr;
  gate.free_at = now_fs() + delay;
}

// An access is over.
void target_exchange::leave(int target) {
  target_gate& gate = gate_of(target);
  --gate.under_way;
  if (gate.is_locked) gate.changed.notify(sc_core::SC_ZERO_TIME);
}

void target_exchange::send_waiting(int target) {
  target_gate& gate = gate_of(target);
  while (!gate.is_busy() && !gate.waiting.empty()) {
    tlm::tlm_generic_payload& next = *gate.waiting.front();
    gate.waiting.pop_front();
    send_late(next);
  }
}

// The initiator was told TLM_ACCEPTED: it hears the rest by calls.
void target_exchange::send_late(tlm::tlm_generic_payload& payload) {
  transaction& sent = open_.at(&payload);
  const route way = sent.way;
  payload.set_address(sent.there);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = until(sent.not_before);
  const auto result = request(sent, payload, phase, delay);
  if (result == tlm::TLM_ACCEPTED) return;
  if (result == tlm::TLM_COMPLETED) leave(way.to);
  if (result == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP)
    return respond(payload, to_fs(delay));
  initiator_(way.from)->nb_transport_bw(payload, phase, delay);
}

tlm::tlm_sync_enum target_exchange::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                    tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  const auto found = open_.find(&payload);
  if (found == open_.end()) return tlm::TLM_ACCEPTED;
  transaction& about = found->second;
  const route way = about.way;
  const std::uint64_t number = about.number;
  end_request(gate_of(way.to), payload, phase == tlm::END_REQ ? to_fs(delay) : 0);
  if (phase != tlm::BEGIN_RESP) {
    const auto result = initiator_(way.from)->nb_transport_bw(payload, phase, delay);
    send_waiting(way.to);
    return result;
  }
  payload.set_address(way.address);
  initiator_gate& back = gate_towards(way.from);
  if (back.responding) {
    about.not_before = now_fs() + to_fs(delay);
    back.waiting.push_back(&payload);
    send_waiting(way.to);
    return tlm::TLM_ACCEPTED;
  }
  back.responding = &payload;
  const auto result = initiator_(way.from)->nb_transport_bw(payload, phase, delay);
  const bool is_over =
      result == tlm::TLM_COMPLETED || (result == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  // The initiator may have sent END_RESP, and the payload anew, inside of the call.
  const auto still = open_.find(&payload);
  if (is_over && still != open_.end() && still->second.number == number) {
    back.responding = nullptr;
    open_.erase(still);
    leave(way.to);
    deliver(way.from);
  }
  send_waiting(way.to);
  return result;
}

// END_RESP, mostly.
tlm::tlm_sync_enum target_exchange::go_on(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                          sc_core::sc_time& delay) {
  const auto found = open_.find(&payload);
  if (found == open_.end()) return tlm::TLM_ACCEPTED;
  if (phase != tlm::END_RESP)
    return found->second.way.target->nb_transport_fw(payload, phase, delay);
  const int from = found->second.way.from;
  gate_towards(from).responding = nullptr;
  finish(payload, to_fs(delay));
  deliver(from);
  return tlm::TLM_COMPLETED;
}

// The initiator has taken the response.
void target_exchange::finish(tlm::tlm_generic_payload& payload, fs_t delay) {
  const transaction over = open_.at(&payload);
  open_.erase(&payload);
  if (!over.is_at_target) return;
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time annotated = to_sc_time(delay);
  over.way.target->nb_transport_fw(payload, phase, annotated);
  leave(over.way.to);
  send_waiting(over.way.to);
}

void target_exchange::respond(tlm::tlm_generic_payload& payload, fs_t delay) {
  transaction& answered = open_.at(&payload);
  const int from = answered.way.from;
  payload.set_address(answered.way.address);
  answered.not_before = now_fs() + delay;
  gate_towards(from).waiting.push_back(&payload);
  deliver(from);
}

void target_exchange::deliver(int initiator) {
  initiator_gate& gate = gate_towards(initiator);
  while (!gate.responding && !gate.waiting.empty()) {
    tlm::tlm_generic_payload& next = *gate.waiting.front();
    gate.waiting.pop_front();
    gate.responding = &next;
    const std::uint64_t number = open_.at(&next).number;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = until(open_.at(&next).not_before);
    const auto result = initiator_(initiator)->nb_transport_bw(next, phase, delay);
    const bool is_over =
        result == tlm::TLM_COMPLETED || (result == tlm::TLM_UPDATED && phase == tlm::END_RESP);
    const auto still = open_.find(&next);
    if (!is_over || still == open_.end() || still->second.number != number) continue;
    gate.responding = nullptr;
    finish(next, to_fs(delay));
  }
}

// A thread waits until nobody is inside of an atomic or, for an atomic itself, until it is alone.
void target_exchange::wait_for(target_gate& gate, bool alone, sc_core::sc_time& delay) {
  const fs_t start = now_fs() + to_fs(delay);
  while (gate.is_locked) sc_core::wait(gate.changed);
  if (alone) {
    gate.is_locked = true;
    while (gate.under_way > 0) sc_core::wait(gate.changed);
  }
  delay = until(start);
}

// The target may wait, and explains nothing.
void target_exchange::b_transport(const route& way, tlm::tlm_generic_payload& payload,
                                  sc_core::sc_time& delay) {
  cause* const asking = running_cause::now();
  {
    const cause_aside while_waiting;
    if (payload.get_extension<atomic_extension>()) {
      modify(way, payload, delay);
    } else {
      wait_for(gate_of(way.to), false, delay);
      ++gate_of(way.to).under_way;
      way.target->b_transport(payload, delay);
      leave(way.to);
    }
  }
  payload.set_address(way.address);
  if (asking) asking->then(category::memory, owner_.site(), now_fs() + to_fs(delay));
}

void target_exchange::modify(const route& way, tlm::tlm_generic_payload& payload,
                             sc_core::sc_time& delay) {
  if (modify_directly(*way.target, payload, delay)) return;
  atomic_extension& atomic = *payload.get_extension<atomic_extension>();
  const unsigned bytes = payload.get_data_length();
  target_gate& gate = gate_of(way.to);
  wait_for(gate, true, delay);
  std::uint64_t word = 0;
  tlm::tlm_generic_payload step;
  set_access(step, tlm::TLM_READ_COMMAND, payload.get_address(), &word, bytes);
  way.target->b_transport(step, delay);
  if (step.is_response_ok()) {
    std::memcpy(payload.get_data_ptr(), &word, bytes);
    word = atomic.result(word, bytes);
    set_access(step, tlm::TLM_WRITE_COMMAND, payload.get_address(), &word, bytes);
    way.target->b_transport(step, delay);
  }
  atomic.is_performed = step.is_response_ok();
  payload.set_response_status(step.get_response_status());
  gate.is_locked = false;
  gate.changed.notify(sc_core::SC_ZERO_TIME);
  send_waiting(way.to);
}

// True: done, or refused.
bool target_exchange::modify_directly(forward& target, tlm::tlm_generic_payload& payload,
                                      sc_core::sc_time& delay) {
  atomic_extension& atomic = *payload.get_extension<atomic_extension>();
  const unsigned bytes = payload.get_data_length();
  const std::uint64_t first = payload.get_address();
  if (!atomic.fits(bytes)) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return true;
  }
  tlm::tlm_generic_payload asking;
  set_access(asking, tlm::TLM_WRITE_COMMAND, first, payload.get_data_ptr(), bytes);
  tlm::tlm_dmi granted;
  if (!target.get_direct_mem_ptr(asking, granted) || !granted.is_read_write_allowed()) return false;
  if (first < granted.get_start_address() || first + bytes - 1 > granted.get_end_address())
    return false;
  unsigned char* const at = granted.get_dmi_ptr() + (first - granted.get_start_address());
  std::uint64_t word = 0;
  std::memcpy(&word, at, bytes);
  std::memcpy(payload.get_data_ptr(), &word, bytes);
  word = atomic.result(word, bytes);
  std::memcpy(at, &word, bytes);
  delay += granted.get_read_latency() + granted.get_write_latency();
  atomic.is_performed = true;
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  return true;
}

// For an initiator that does not wait.
void target_exchange::modify_in_thread(tlm::tlm_generic_payload& payload) {
  sc_core::sc_spawn([this, &payload] {
    const transaction& asked = open_.at(&payload);
    payload.set_address(asked.there);
    sc_core::sc_time delay = until(asked.not_before);
    modify(asked.way, payload, delay);
    respond(payload, to_fs(delay));
  });
}

}  // namespace heddle
