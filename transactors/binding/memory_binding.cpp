// How an initiator of the memory plane and its target are joined.
#include "transactors/binding/monitored_binding.hpp"
#include "transactors/memory/memory_port.hpp"

namespace heddle {

void memory_initiator_port::connect(port& peer, const parameter_set*) {
  auto* target = dynamic_cast<memory_target_port*>(&peer);
  if (!target) refuse_to_bind(peer);
  if (target->is_bound() && !target->is_shared())
    throw user_error(target->path() +
                     " is bound already and takes one initiator: several reach it "
                     "through a unit of type `bus`");
  bind_monitored(socket_, target->socket_for_initiator(), *this, *target);
  target_ = target;
  mark_bound();
  target->mark_bound();
}

}  // namespace heddle
