// Tells every core of a built system which devices it has: the registers that its bus leads to, and
// those behind the network at its end. Those of one block are numbered in the order of the netlist,
// for all cores alike, wherever each of them sees the device. Lists the memories behind its window,
// too (window_memory.hpp).
#pragma once

#include "platform/netlist/plan.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

// `sim` holds the units of the plan, joined.
void list_devices(const netlist_plan& plan, simulation& sim);

}  // namespace heddle
