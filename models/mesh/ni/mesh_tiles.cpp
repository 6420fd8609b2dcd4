#include "models/mesh/ni/mesh_tiles.hpp"

#include "models/mesh/ni/network_interface.hpp"

namespace heddle {

network_interface* mesh_tiles::find(const mesh_map& map, mesh_position node) const {
  for (network_interface* each : all)
    if (each->position() == node && each->map().base() == map.base()) return each;
  return nullptr;
}

}  // namespace heddle
