// The responses of a target socket to its non-blocking initiators, one at a time for each as the
// base protocol has it: the next one waits for END_RESP.
#pragma once

#include <cstddef>
#include <deque>
#include <systemc>
#include <tlm>

namespace heddle {

// Socket is one of many initiators: socket[i] leads back to initiator i.
template <class Socket>
class response_gates {
 public:
  explicit response_gates(Socket& socket) : socket_(socket) {}

  // The access of that initiator has ended.
  void respond(int initiator, tlm::tlm_generic_payload& payload) {
    of(initiator).waiting.push_back(&payload);
    hand_out(initiator);
  }
  // END_RESP has come.
  void end(int initiator) {
    of(initiator).is_under_way = false;
    hand_out(initiator);
  }

 private:
  struct gate {
    bool is_under_way = false;  // BEGIN_RESP, but no END_RESP yet
    std::deque<tlm::tlm_generic_payload*> waiting;
  };

  gate& of(int initiator) {
    const auto index = static_cast<std::size_t>(initiator);
    while (gates_.size() <= index) gates_.emplace_back();
    return gates_[index];
  }

  void hand_out(int initiator) {
    gate& its = of(initiator);
    while (!its.is_under_way && !its.waiting.empty()) {
      tlm::tlm_generic_payload& payload = *its.waiting.front();
      its.waiting.pop_front();
      its.is_under_way = true;
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay;
      const auto result = socket_[initiator]->nb_transport_bw(payload, phase, delay);
      if (result != tlm::TLM_ACCEPTED) its.is_under_way = false;  // END_RESP is implied
    }
  }

  Socket& socket_;
  std::deque<gate> gates_;  // references stay valid: responses may lead to others
};

}  // namespace heddle
