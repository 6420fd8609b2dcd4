// "did you mean ...?" for the name of a file that is not there.
#pragma once

#include <string>

namespace heddle {

// " (did you mean 'near.yaml'?)" for the nearest among the files of the same folder, else "".
std::string near_file(const std::string& path);

}  // namespace heddle
