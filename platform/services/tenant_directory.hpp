// Devices in the network that the cores of several workloads may set up, and for how many of them
// each has registers of their own: models that are such devices enter themselves.
#pragma once

#include <cstdint>
#include <unordered_map>

namespace heddle {

class register_file;

// One per run: simulation::service<tenant_directory>().
struct tenant_directory {
  std::unordered_map<const register_file*, std::uint32_t> rooms;  // tenants
};

}  // namespace heddle
