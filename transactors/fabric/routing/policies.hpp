// Routing policies by the name under which a netlist asks for them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platform/yaml/mapping.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/fabric/routing/grid_places.hpp"

namespace heddle {

struct policy_type {
  std::string name;
  std::string meaning;
  std::vector<std::string> keys;  // of the section: its own
  // Reads the policy's own keys of the section; the graph comes later. Throws user_error.
  std::function<policy_maker(yaml_mapping& section)> read;
};

const std::vector<policy_type>& policy_types();  // the first is the default

// The keys `sides` and `switches`. Throws user_error.
grid_shape read_grid(yaml_mapping& section);

}  // namespace heddle
