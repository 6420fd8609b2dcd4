#include "platform/cli/command_registry.hpp"

#include <algorithm>

namespace heddle {

command_registry& command_registry::instance() {
  static command_registry all;
  return all;
}

// Static initializers run in no order: help and messages are sorted.
void command_registry::add(registered_command command) {
  const auto place = std::lower_bound(commands_.begin(), commands_.end(), command,
                                      [](const auto& a, const auto& b) { return a.name < b.name; });
  commands_.insert(place, std::move(command));
}

std::vector<std::string> command_registry::studies() const {
  std::vector<std::string> names;
  for (const registered_command& each : commands_)
    if (each.is_study) names.push_back(each.name);
  return names;
}

}  // namespace heddle
