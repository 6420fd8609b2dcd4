// What a bus keeps of the accesses to targets that need more than a call passed on: targets that
// answer non-blocking requests in four phases, and foreign targets, which know the base protocol
// alone.
//
// Non-blocking: one request at a time goes to a target and one response to an initiator; what comes
// in between waits here, in order (IEEE 1666-2011, 15.2.6).
//
// Atomics of foreign targets: the word is read, modified and written. Where the target grants
// direct access, that happens in one step; otherwise nobody else reaches the target in between.
#pragma once

#include <tlm>

#include <deque>
#include <functional>
#include <unordered_map>

#include "platform/time/fs_time.hpp"
#include "transactors/memory/extensions.hpp"

namespace heddle {

class unit;

class target_exchange {
 public:
  using forward = tlm::tlm_fw_transport_if<>;
  using backward = tlm::tlm_bw_transport_if<>;

  struct route {
    int from = 0;               // of the initiators
    int to = 0;                 // of the targets
    forward* target = nullptr;  // that one
    std::uint64_t address = 0;  // as the initiator gave it
    bool is_foreign = false;
  };

  // `initiator(i)` is the backward path to initiator i. `owner` must outlive the object.
  target_exchange(unit& owner, std::function<backward*(int)> initiator)
      : owner_(owner), initiator_(std::move(initiator)) {}

  // A blocking access to a foreign target. The payload's address is already the target's.
  void b_transport(const route& way, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  // BEGIN_REQ of an initiator. The payload's address is already the target's.
  tlm::tlm_sync_enum begin(const route& way, tlm::tlm_generic_payload& payload,
                           tlm::tlm_phase& phase, sc_core::sc_time& delay);
  // Any later phase of the initiator.
  tlm::tlm_sync_enum go_on(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                           sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  // No direct access is granted meanwhile: it could be used in the middle of an atomic.
  bool is_locked(int target) { return gate_of(target).is_locked; }

 private:
  struct transaction {
    route way;
    std::uint64_t there = 0;    // the target's address
    std::uint64_t number = 0;   // of all
    fs_t not_before = 0;        // while it waits
    bool is_at_target = false;  // which expects END_RESP
  };
  struct target_gate {
    tlm::tlm_generic_payload* requesting = nullptr;  // BEGIN_REQ, but no END_REQ yet
    std::deque<tlm::tlm_generic_payload*> waiting;
    fs_t free_at = 0;
    unsigned under_way = 0;  // accesses that the target has and has not finished
    bool is_locked = false;
    sc_core::sc_event changed;
    bool is_busy() const { return requesting != nullptr || is_locked; }
  };
  struct initiator_gate {
    tlm::tlm_generic_payload* responding = nullptr;  // BEGIN_RESP, but no END_RESP yet
    std::deque<tlm::tlm_generic_payload*> waiting;
  };

  target_gate& gate_of(int target);
  initiator_gate& gate_towards(int initiator);
  tlm::tlm_sync_enum request(transaction& sent, tlm::tlm_generic_payload& payload,
                             tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void send_waiting(int target);
  void send_late(tlm::tlm_generic_payload& payload);
  void end_request(target_gate& gate, const tlm::tlm_generic_payload& payload, fs_t delay);
  void leave(int target);
  void respond(tlm::tlm_generic_payload& payload, fs_t delay);
  void deliver(int initiator);
  void finish(tlm::tlm_generic_payload& payload, fs_t delay);
  void wait_for(target_gate& gate, bool alone, sc_core::sc_time& delay);
  void modify(const route& way, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void modify_in_thread(tlm::tlm_generic_payload& payload);
  static bool modify_directly(forward& target, tlm::tlm_generic_payload& payload,
                              sc_core::sc_time& delay);

  unit& owner_;
  std::function<backward*(int)> initiator_;
  std::deque<target_gate> targets_;        // references stay valid
  std::deque<initiator_gate> initiators_;  // likewise
  std::unordered_map<tlm::tlm_generic_payload*, transaction> open_;
  std::uint64_t begun_ = 0;
};

}  // namespace heddle
