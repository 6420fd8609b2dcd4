// Where the netlists that come with Heddle lie: beside the build, or in the installation.
#pragma once

#include <string>
#include <vector>

namespace heddle {

std::vector<std::string> netlist_folders();  // existing ones, nearest first
std::string executable_path();

}  // namespace heddle
