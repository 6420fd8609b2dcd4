#include "models/cpu/rv_core/rv_core_parameters.hpp"

namespace heddle {

rv::cycle_costs rv_core_parameters::costs() const {
  using rv::instruction_class;
  rv::cycle_costs made;
  const auto set = [&made](instruction_class c, const parameter<std::uint64_t>& cycles) {
    made[c] = static_cast<std::uint32_t>(cycles());
  };
  set(instruction_class::alu, alu);
  set(instruction_class::mul, mul);
  set(instruction_class::div, div);
  set(instruction_class::load, load);
  set(instruction_class::store, store);
  set(instruction_class::branch, branch);
  set(instruction_class::jump, jump);
  set(instruction_class::atomic, atomic);
  set(instruction_class::system, system);
  set(instruction_class::float_simple, float_simple);
  set(instruction_class::float_long, float_long);
  made.taken = static_cast<std::uint32_t>(taken());
  made.trap = static_cast<std::uint32_t>(trap());
  return made;
}

}  // namespace heddle
