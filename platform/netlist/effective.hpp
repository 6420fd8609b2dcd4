// What a run really used: every parameter with its value and where that value comes from.
#pragma once

#include <functional>
#include <string>

#include "platform/netlist/plan.hpp"

namespace heddle {

// YAML with origins as comments, piece by piece: that of a large netlist is long.
void write_effective_configuration(const netlist_plan& plan,
                                   const std::function<void(const std::string&)>& write);

}  // namespace heddle
