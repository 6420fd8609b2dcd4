// A router borrows a functional unit: two operands go out, a result comes back, in order. Requests
// take a cycle to the far end and are held there in a queue of stated depth (a credit each); the
// far end says in which cycle its result is back. The router keeps room for results that it asked
// for, so they never wait.
//
// Operands and results are payload handles, and pass to the far end and back with the call.
#pragma once

#include <string>

#include "platform/time/clock_domain.hpp"
#include "platform/unit/port.hpp"
#include "transactors/flit/flit.hpp"
#include "transactors/flit/flit_ring.hpp"

namespace heddle {

struct offload_request {
  flit_op op = flit_op::add_f64;
  payload_handle left = 0, right = 0;  // the result is left op right
};

class offload_target_port;

// The router's end.
class offload_initiator_port final : public port {
 public:
  // At most `most_requests` are asked for at a time.
  offload_initiator_port(unit& owner, const clock_member& clock, const std::string& name,
                         std::size_t most_requests);

  std::string kind() const override { return "offload initiator"; }
  bool must_be_bound() const override { return false; }
  void connect(port& peer, const parameter_set* link) override;

  // When it cannot, the owner is woken as soon as it can.
  bool can_request(cycle_t now);
  void request(const offload_request& asked, cycle_t now);
  bool has_result(cycle_t now) const { return next_result_ <= now; }
  payload_handle take_result();
  const port* peer() const;

 private:
  friend class offload_target_port;
  static constexpr cycle_t never = UINT64_MAX;
  struct stamped_result {
    cycle_t arrival;
    payload_handle result;
  };

  const clock_member& clock_;
  offload_target_port* peer_ = nullptr;
  std::size_t credits_ = 0;
  flit_ring<cycle_t> credits_back_;
  bool is_blocked_ = false;
  cycle_t next_result_ = never;
  flit_ring<stamped_result> results_;
};

// The functional unit's end.
class offload_target_port final : public port {
 public:
  static constexpr cycle_t request_cycles = 1;  // the cut between router and cluster

  offload_target_port(unit& owner, const clock_member& clock, const std::string& name,
                      std::size_t queue);

  std::string kind() const override { return "offload target"; }
  bool must_be_bound() const override { return false; }
  void connect(port& peer, const parameter_set* link) override;  // refuses: initiators connect

  // The owner is woken for the cycle in which a request is here.
  bool has_request(cycle_t now) const { return next_request_ <= now; }
  offload_request take_request(cycle_t now);
  // In the order of the requests; `arrival` > now, not before that of the result before.
  void respond(payload_handle result, cycle_t arrival);

 private:
  friend class offload_initiator_port;
  static constexpr cycle_t never = UINT64_MAX;
  struct stamped_request {
    cycle_t arrival;
    offload_request asked;
  };

  const clock_member& clock_;
  offload_initiator_port* peer_ = nullptr;
  std::size_t queue_;
  cycle_t next_request_ = never;  // arrival of the next one
  flit_ring<stamped_request> requests_;
};

}  // namespace heddle
