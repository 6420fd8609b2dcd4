#include "transactors/flit/issue_port.hpp"

#include "platform/unit/unit.hpp"

namespace heddle {

void issue_target_port::connect(port& other, const parameter_set*) {
  throw user_error(path() + " is an issue target: bind from an issue initiator, not from " +
                   other.path());
}

void issue_initiator_port::connect(port& other, const parameter_set*) {
  auto* far = dynamic_cast<issue_target_port*>(&other);
  if (!far)
    throw user_error(path() + " is an issue initiator, " + other.path() + " is a " + other.kind());
  arbiter_ = &far->arbiter_;
  mark_bound();
  if (!far->is_bound()) far->mark_bound();
}

}  // namespace heddle
