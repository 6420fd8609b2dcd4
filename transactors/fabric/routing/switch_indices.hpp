// Where a switch stands, from the indices in its path.
#pragma once

#include <string>
#include <vector>

#include "transactors/fabric/topology.hpp"

namespace heddle {

// {2, 3} of "rack[2].sw[3]" and of "sw[2][3]".
std::vector<topology::index> indices_in(const std::string& path);

}  // namespace heddle
