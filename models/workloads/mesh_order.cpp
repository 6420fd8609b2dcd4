#include "models/workloads/mesh_order.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "models/mesh/collective/collective_router.hpp"
#include "models/mesh/ni/network_interface.hpp"
#include "models/workloads/mesh_ranks.hpp"
#include "transactors/fabric/fabric.hpp"

namespace heddle {
namespace {

// The kinds of hops of a way by x first: from an interface, along x, along y, to an interface.
enum hop_kind : int { entry, along_x, along_y, to_tile, hop_kinds };

hop_kind kind_of(int direction) {
  if (direction == local) return to_tile;
  return direction == east || direction == west ? along_x : along_y;
}

// What a flit may take for a hop on one of the networks of a mesh.
struct network_pace {
  std::array<cycle_t, hop_kinds> fastest, slowest{};
  bool is_full_rate = true;  // no link waits for credits
  bool is_known = true;      // all of it are routers and tiles of one mesh

  network_pace() { fastest.fill(UINT64_MAX); }
  void enter(hop_kind kind, cycle_t cycles) {
    fastest[kind] = std::min(fastest[kind], cycles);
    slowest[kind] = std::max(slowest[kind], cycles);
  }
};

void enter_hop(const collective_router& router, int direction, network_pace& pace) {
  const flit_port& link = router.port_at(direction);
  const cycle_t hop = router.pipeline() + link.latency();
  pace.enter(kind_of(direction), hop);
  // A credit is taken as the flit leaves the FIFO, and comes back when it has left the next one.
  const cycle_t way_and_back = hop + link.latency();
  if (static_cast<cycle_t>(link.buffer()) < way_and_back) pace.is_full_rate = false;
}

void enter_endpoint(const flit_port& link, const mesh_map& map, network_pace& pace) {
  const auto* const tile = dynamic_cast<const network_interface*>(&link.peer()->owner());
  if (!tile || tile->map().text() != map.text()) pace.is_known = false;
  pace.enter(entry, link.latency());
}

network_pace pace_of(const network_interface& from, interface_link network) {
  network_pace pace;
  std::vector<const collective_router*> found;
  std::unordered_set<const unit*> seen;
  const auto see = [&](const flit_port& link) {
    const unit& far = link.peer()->owner();
    const auto* const router = dynamic_cast<const collective_router*>(&far);
    if (router && seen.insert(router).second) found.push_back(router);
    return router != nullptr;
  };
  const flit_port& own = from.link(network);
  if (!own.peer() || !see(own)) pace.is_known = false;
  for (std::size_t at = 0; at < found.size(); ++at) {
    const collective_router& router = *found[at];
    for (int direction = 0; direction < mesh_directions; ++direction) {
      const flit_port& link = router.port_at(direction);
      if (!link.peer()) continue;
      enter_hop(router, direction, pace);
      if (!see(link)) enter_endpoint(link, from.map(), pace);
    }
  }
  return pace;
}

// A core whose memory is an endpoint of the packet plane sends there, unless it sees an interface
// of the mesh as well.
bool may_reach_mesh(const rank_core& core, simulation& sim) {
  const fabric& packets = sim.service<fabric>();
  return !packets.find_window(core.resources().window) || interface_of(core, sim);
}

bool has_other_cores(const workload_cores& cores, simulation& sim) {
  const std::unordered_set<const rank_core*> ranks(cores.ranks.begin(), cores.ranks.end());
  for (const unit* each : sim.units()) {
    const auto* const core = dynamic_cast<const rank_core*>(each);
    if (core && ranks.count(core) == 0 && may_reach_mesh(*core, sim)) return true;
  }
  return false;
}

}  // namespace

bool keeps_barriers_behind_copies(const workload_cores& cores, simulation& sim) {
  const network_interface* const tile = interface_of(*cores.ranks.front(), sim);
  if (!tile || has_other_cores(cores, sim)) return false;
  const network_pace data = pace_of(*tile, wide);
  if (!data.is_known || !data.is_full_rate) return false;
  for (const interface_link narrow : {req, rsp}) {
    const network_pace words = pace_of(*tile, narrow);
    if (!words.is_known) return false;
    for (int kind = 0; kind < hop_kinds; ++kind)
      if (data.slowest[kind] > words.fastest[kind]) return false;
  }
  return true;
}

}  // namespace heddle
