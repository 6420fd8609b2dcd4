#include "transactors/flit/offload_port.hpp"

#include "platform/unit/unit.hpp"

namespace heddle {

offload_initiator_port::offload_initiator_port(unit& owner, const clock_member& clock,
                                               const std::string& name, std::size_t most_requests)
    : port(owner, name), clock_(clock) {
  results_.reserve(most_requests);
}

void offload_initiator_port::connect(port& other, const parameter_set*) {
  auto* far = dynamic_cast<offload_target_port*>(&other);
  if (!far)
    throw user_error(path() + " is an offload initiator, " + other.path() + " is a " +
                     other.kind());
  if (far->is_bound()) throw user_error(far->path() + " is connected already");
  if (&clock_.domain() != &far->clock_.domain())
    throw user_error(path() + " and " + far->path() + " have different clocks");
  peer_ = far;
  far->peer_ = this;
  credits_ = far->queue_;
  credits_back_.reserve(far->queue_);
  mark_bound();
  far->mark_bound();
}

const port* offload_initiator_port::peer() const {
  return peer_;
}

bool offload_initiator_port::can_request(cycle_t now) {
  while (!credits_back_.empty() && credits_back_.front() <= now) {
    credits_back_.pop();
    ++credits_;
    is_blocked_ = false;
  }
  if (credits_ > 0) return true;
  is_blocked_ = true;
  if (!credits_back_.empty()) clock_.wake(credits_back_.front());
  return false;
}

void offload_initiator_port::request(const offload_request& asked, cycle_t now) {
  --credits_;
  const cycle_t arrival = now + offload_target_port::request_cycles;
  if (peer_->requests_.empty()) peer_->next_request_ = arrival;
  peer_->requests_.push({arrival, asked});
  peer_->clock_.wake(arrival);
}

payload_handle offload_initiator_port::take_result() {
  const payload_handle taken = results_.front().result;
  results_.pop();
  next_result_ = results_.empty() ? never : results_.front().arrival;
  return taken;
}

offload_target_port::offload_target_port(unit& owner, const clock_member& clock,
                                         const std::string& name, std::size_t queue)
    : port(owner, name), clock_(clock), queue_(queue) {
  requests_.reserve(queue);
}

void offload_target_port::connect(port& other, const parameter_set*) {
  throw user_error(path() + " is an offload target: bind from an offload initiator, not from " +
                   other.path());
}

offload_request offload_target_port::take_request(cycle_t now) {
  const offload_request taken = requests_.front().asked;
  requests_.pop();
  next_request_ = requests_.empty() ? never : requests_.front().arrival;
  const cycle_t back = now + request_cycles;
  peer_->credits_back_.push(back);
  if (peer_->is_blocked_) peer_->clock_.wake(back);
  return taken;
}

void offload_target_port::respond(payload_handle result, cycle_t arrival) {
  if (peer_->results_.empty()) peer_->next_result_ = arrival;
  peer_->results_.push({arrival, result});
  peer_->clock_.wake(arrival);
}

}  // namespace heddle
