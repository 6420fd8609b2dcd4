// Reads and checks a *.regs.yaml. Every mistake is a user_error with its place.
#pragma once

#include <string>
#include <string_view>

#include "tools/regs/block.hpp"

namespace heddle::regs {

block parse_file(const std::string& path);

// name stands for the file in places.
block parse_text(std::string_view text, std::string name);

}  // namespace heddle::regs
