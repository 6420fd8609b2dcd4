#include "platform/firmware/firmware_registry.hpp"

#include <stdexcept>

namespace heddle {

firmware_registry& firmware_registry::instance() {
  static firmware_registry the_registry;
  return the_registry;
}

void firmware_registry::add(const std::string& name, entry_point entry) {
  if (!entries_.emplace(name, entry).second) {
    throw std::logic_error("firmware registered twice: " + name);
  }
}

firmware_registry::entry_point firmware_registry::find(const std::string& name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : found->second;
}

std::vector<std::string> firmware_registry::names() const {
  std::vector<std::string> names;
  names.reserve(entries_.size());
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

}  // namespace heddle
