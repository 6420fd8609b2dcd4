// What a run really used: every parameter with its value and where that value comes from.
#pragma once

#include <string>

#include "platform/netlist/plan.hpp"

namespace heddle {

std::string effective_configuration(const netlist_plan& plan);  // YAML with origins as comments

}  // namespace heddle
