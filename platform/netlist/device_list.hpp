// Which devices each core of a built system has: the registers that its bus leads to, and those
// behind the network at its end. Those of one block are numbered in the order of the netlist, for
// all cores alike, wherever each of them sees the device.
#pragma once

#include "platform/firmware/rank_core.hpp"
#include "platform/netlist/plan.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

// `sim` holds the units of the plan, joined.
core_devices devices_of(const netlist_plan& plan, simulation& sim, const rank_core& core);

// Tells them to every core with firmware.
void list_devices(const netlist_plan& plan, simulation& sim);

}  // namespace heddle
