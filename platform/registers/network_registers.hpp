// Registers that cores reach by addresses of a network: the layer that owns the network says which.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle {

class register_file;

struct network_register_file {
  const register_file* registers = nullptr;
  std::uint64_t base = 0;  // address on the network
};

// One per run: simulation::service<network_registers>().
struct network_registers {
  // By the path of the unit that turns accesses into messages of the network: what answers those.
  // Asked once all units are joined.
  std::unordered_map<std::string, std::function<std::vector<network_register_file>()>> behind;
};

}  // namespace heddle
