#include "platform/netlist/topology.hpp"

#include <algorithm>
#include <stdexcept>

namespace heddle {

topology_registry& topology_registry::instance() {
  static topology_registry the_registry;
  return the_registry;
}

void topology_registry::add(topology_type type) {
  if (find(type.name)) throw std::logic_error("topology registered twice: " + type.name);
  types_.push_back(std::move(type));
}

const topology_type* topology_registry::find(const std::string& name) const {
  for (const topology_type& each : types_)
    if (each.name == name) return &each;
  return nullptr;
}

std::vector<std::string> topology_registry::names() const {
  std::vector<std::string> names;
  for (const topology_type& each : types_) names.push_back(each.name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace heddle
