// Names in the order in which people count: port[2] before port[10].
#pragma once

#include <string_view>

namespace heddle {

// Whether a comes before b; runs of digits are compared as numbers of any length, the rest
// character by character. Names that differ in leading zeros alone are ordered as text.
bool is_naturally_before(std::string_view a, std::string_view b);

}  // namespace heddle
