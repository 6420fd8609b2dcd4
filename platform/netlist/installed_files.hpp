// Where the netlists that come with Heddle lie: beside the build, or in the installation.
#pragma once

#include <string>
#include <vector>

namespace heddle {

std::vector<std::string> netlist_folders();  // existing ones, nearest first
// One more, behind the others. A program outside names that of the package it was linked to.
void add_netlist_folder(const std::string& folder);
// Those that were added and do not exist: the package has been moved since.
std::vector<std::string> lost_netlist_folders();
std::string executable_path();

}  // namespace heddle
