#include "platform/contracts/contract_settings.hpp"

#include "platform/trace/glob.hpp"

namespace heddle {

contract_severity contract_settings::of(const std::string& unit_path) const {
  contract_severity found = usual;
  for (const auto& [pattern, severity] : units)
    if (glob_match(pattern, unit_path)) found = severity;
  return found;
}

}  // namespace heddle
