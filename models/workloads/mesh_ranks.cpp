#include "models/workloads/mesh_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/mesh/ni/network_interface.hpp"
#include "models/mesh/ni/network_interface_regs.hpp"

namespace heddle {

const network_interface* interface_of(const rank_core& core, simulation& sim) {
  const core_device* const device = core.devices().find(network_interface_regs::description.id, 0);
  if (!device) return nullptr;
  const auto& tiles = sim.service<mesh_tiles>().all;
  const auto found =
      std::find_if(tiles.begin(), tiles.end(), [device](const network_interface* each) {
        return each->path() == device->registers->path();
      });
  return found == tiles.end() ? nullptr : *found;
}

std::string obstacle_of_tiles(const workload_cores& cores, simulation& sim) {
  const network_interface* const tile = interface_of(*cores.ranks.front(), sim);
  if (!tile) return {};
  const mesh_map* const map = &tile->map();
  if (const auto said = cores.ranks.front()->resources().columns; said != map->width())
    return fmt::format("{} has `columns: {}`, and its mesh {} of them",
                       cores.ranks.front()->rank_path(), said, map->width());
  if (cores.ranks.size() != map->tiles())
    return fmt::format("the ranks on a mesh are all of its tiles: {} x {}, not {}", map->width(),
                       map->height(), cores.ranks.size());
  for (std::size_t rank = 0; rank < cores.ranks.size(); ++rank)
    if (cores.ranks[rank]->resources().window != map->base() + rank * map->tile_size())
      return fmt::format(
          "the ranks on a mesh are its tiles row by row: rank {} cannot be the core {}", rank,
          cores.ranks[rank]->rank_path());
  return {};
}

}  // namespace heddle
