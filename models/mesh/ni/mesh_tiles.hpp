// The network interfaces of a run: simulation::service<mesh_tiles>().
#pragma once

#include <vector>

#include "models/mesh/ni/mesh_map.hpp"

namespace heddle {

class network_interface;

struct mesh_tiles {
  std::vector<network_interface*> all;

  // The one at that node of the mesh with that map; nullptr: there is none.
  network_interface* find(const mesh_map& map, mesh_position node) const;
};

}  // namespace heddle
