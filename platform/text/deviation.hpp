// How far a figure is from the one that it is compared with.
#pragma once

#include <string>

namespace heddle {

// "+1.2 %", with so many decimals. What rounds to zero is "+0.0 %", from below as well.
std::string deviation_text(double relative, int decimals);

}  // namespace heddle
