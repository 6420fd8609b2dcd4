// Files that are read to their end.
#pragma once

#include <fstream>
#include <string>

namespace heddle {

// Throws user_error, also for what may have no end: a device or a pipe.
std::ifstream open_input_file(const std::string& path);

}  // namespace heddle
