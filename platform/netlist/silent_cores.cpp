#include "platform/netlist/silent_cores.hpp"

#include "platform/yaml/parse.hpp"

namespace heddle {

void set_parameter(planned_unit& unit, const std::string& name, const std::string& value,
                   const std::string& place) {
  for (parameter_base* parameter : unit.parameters->all())
    if (parameter->name() == name) parameter->load(parse_yaml_value(value, {place, 0, 0}));
}

void silence_cores(netlist_plan& plan) {
  for (planned_unit& unit : plan.units)
    for (const char* program : {"firmware", "elf"})
      set_parameter(unit, program, "\"\"", "no firmware");
}

}  // namespace heddle
