#include "platform/unit/registry.hpp"

#include <algorithm>
#include <stdexcept>

namespace heddle {

registry& registry::instance() {
  static registry the_registry;
  return the_registry;
}

void registry::add(unit_type type) {
  if (find_unit_type(type.name)) throw std::logic_error("unit type registered twice: " + type.name);
  types_.push_back(std::move(type));
}

void registry::add(link_type type) {
  links_.push_back(std::move(type));
}

const unit_type* registry::find_unit_type(const std::string& name) const {
  for (const unit_type& each : types_)
    if (each.name == name) return &each;
  return nullptr;
}

const link_type* registry::find_link_type(const std::string& kind) const {
  for (const link_type& each : links_)
    if (each.kind == kind) return &each;
  return nullptr;
}

std::vector<std::string> registry::unit_type_names() const {
  std::vector<std::string> names;
  for (const unit_type& each : types_) names.push_back(each.name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace heddle
