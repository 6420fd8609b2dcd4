// The documents that gdb asks for: what registers a core has, and which threads there are.
#pragma once

#include <string>
#include <vector>

#include "platform/debug/debug_target.hpp"

namespace heddle {

std::string describe_target(const debug_target& core);
std::string describe_threads(const std::vector<debug_target*>& cores);  // numbered from 1

}  // namespace heddle
