// The declarations of a VCD file: one scope for each part of a unit's path.
#pragma once

#include <string>
#include <vector>

#include "platform/trace/trace_declaration.hpp"

namespace heddle {

// Throws user_error if two signals get the same name.
std::string vcd_header(const std::vector<trace_declaration>& signals);

}  // namespace heddle
