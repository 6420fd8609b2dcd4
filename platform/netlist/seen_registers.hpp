// Blocks of registers where one core sees them: on its bus, behind bridges, and behind the network
// at the end of its bus.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/netlist/core_view.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

class register_file;

struct seen_registers {
  std::uint64_t base = 0;  // address that the core uses
  std::uint64_t size = 0;  // bytes from there on that lead to the block, or more
  register_file* registers = nullptr;
};

// By address. `sim` holds the netlist, built.
std::vector<seen_registers> registers_seen(const core_view& view, simulation& sim);

}  // namespace heddle
