// Cores without a program sleep: for commands that build a netlist and do not run its firmware.
#pragma once

#include <string>

#include "platform/netlist/plan.hpp"

namespace heddle {

void silence_cores(netlist_plan& plan);

// place: whose doing it is, for messages.
void set_parameter(planned_unit& unit, const std::string& name, const std::string& value,
                   const std::string& place);

}  // namespace heddle
