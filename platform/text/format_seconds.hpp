// Times in seconds, as statistics and formulas carry them.
#pragma once

#include <cmath>
#include <string>

#include "platform/text/quantity.hpp"

namespace heddle {

// For people: four significant digits, "326.4 us". `seconds` is not negative.
inline std::string format_seconds(double seconds) {
  constexpr double fs_per_second = 1e15;
  return format_duration(static_cast<std::uint64_t>(std::llround(seconds * fs_per_second)));
}

}  // namespace heddle
