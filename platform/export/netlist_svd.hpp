// The registers of a netlist as one core sees them.
#pragma once

#include <vector>

#include "platform/netlist/core_view.hpp"
#include "platform/registers/svd.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

// Blocks on the core's bus, its own, and those that its firmware finds behind the network, by
// address. `sim` holds the netlist, built.
std::vector<svd_peripheral> peripherals_of(const core_view& view, simulation& sim);

// Adds the lines of the peripherals that the core takes interrupts of: by the number of its input
// irq[NUMBER], or of an input in[NUMBER] of an interrupt controller among the peripherals.
void add_interrupts(const netlist_plan& plan, const core_view& view,
                    std::vector<svd_peripheral>& peripherals);

// Throws user_error when the core sees no registers.
std::string netlist_svd(const netlist_plan& plan, const core_view& view, simulation& sim);

}  // namespace heddle
