#include "transactors/memory/memory_port.hpp"

namespace heddle {

void memory_target_port::connect(port& peer, const parameter_set*) {
  refuse_to_bind(peer);
}

void interrupt_input_port::connect(port& peer, const parameter_set*) {
  refuse_to_bind(peer);
}

void interrupt_output_port::connect(port& peer, const parameter_set*) {
  auto* input = dynamic_cast<interrupt_input_port*>(&peer);
  if (!input) refuse_to_bind(peer);
  input_ = input;
  mark_bound();
  input->mark_bound();
}

void interrupt_output_port::set(bool is_up) {
  if (is_up == is_up_) return;
  is_up_ = is_up;
  if (input_) input_->set(is_up);
}

}  // namespace heddle
