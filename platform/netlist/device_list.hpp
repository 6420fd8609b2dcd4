// Tells every core of a built system what its devices are: the registers that its bus leads to, and
// those behind the network at its end.
#pragma once

#include "platform/netlist/plan.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

// `sim` holds the units of the plan, joined.
void list_devices(const netlist_plan& plan, simulation& sim);

}  // namespace heddle
