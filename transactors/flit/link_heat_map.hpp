// link_utilization.svg: a drawing of a mesh whose links are colored by how busy they were. Tiles
// stand at their coordinates, y to the north; a mesh of several physical networks has a panel for
// each. Beside them a scale and the links that were busiest.
#pragma once

#include <string>
#include <vector>

#include "platform/services/busy_share.hpp"
#include "transactors/flit/flit_network.hpp"

namespace heddle {

// The drawing as SVG. Links without a share were idle.
std::string link_heat_map(const std::vector<const flit_router*>& routers,
                          const std::vector<busy_share>& shares, const std::string& title);

}  // namespace heddle
