// A file that is complete whenever it exists.
#pragma once

#include <string>

namespace heddle::regs {

// Replaces a file in one step; pipes and devices are written directly. Throws user_error.
void write_file(const std::string& path, const std::string& content);

}  // namespace heddle::regs
