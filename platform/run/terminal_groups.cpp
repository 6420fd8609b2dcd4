#include "platform/run/terminal_groups.hpp"

#include <cmath>
#include <regex>

namespace heddle {

std::string network_of(const std::string& unit) {
  static const std::regex index("\\[[0-9]+\\]");
  return std::regex_replace(unit, index, "[*]");
}

double share_by_chance(double packets) {
  constexpr double deviations = 4, least = 0.02;
  return packets > 0 ? std::max(least, deviations / std::sqrt(packets)) : 1;
}

}  // namespace heddle
