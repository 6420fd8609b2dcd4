// What a mesh asks of the ranks of a workload: its firmware takes rank r for the tile in column
// r mod w of row r / w, of all tiles of a submesh that is w columns wide.
#pragma once

#include <string>

#include "platform/unit/simulation.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

class network_interface;

// The core's; nullptr: it has none.
const network_interface* interface_of(const rank_core& core, simulation& sim);

// What is wrong with them; "" where nothing is, or where they are no tiles.
std::string obstacle_of_tiles(const workload_cores& cores, simulation& sim);

}  // namespace heddle
