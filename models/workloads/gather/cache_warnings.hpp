// What is known before a run of the property caches that its gathers use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/workloads/gather/gather_system.hpp"

namespace heddle {

// One line for each thing that makes the property caches of racks do less than the netlist says,
// for properties of that many elements: `switch` is among the features of the gather.
std::vector<std::string> cache_warnings(const gather_system& system, std::uint32_t elements);

}  // namespace heddle
