// Keys at the top of a netlist that a layer above the platform reads, such as how packets are
// routed. Parts that other netlists use have none. Whoever reads a section registers it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platform/yaml/node.hpp"

namespace heddle {

class simulation;

struct section_type {
  std::string key;
  std::string meaning;
  // Called once for every system, when all units are built and all ports joined, and before any
  // on_connected(). The section has its variables expanded; nullptr where the netlist has none.
  std::function<void(const yaml_node*, simulation&)> apply;
  // The key whose value decides which other keys there are, "policy". Where --set gives it another
  // value than a topology suggests, the rest of the suggestion does not hold.
  std::string chooser = {};
};

void register_section(section_type type);
const std::vector<section_type>& section_types();  // sorted by key

}  // namespace heddle
