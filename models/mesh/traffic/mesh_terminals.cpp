#include "models/mesh/traffic/mesh_terminals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "models/mesh/traffic/mesh_traffic.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/flit/flit_network.hpp"

namespace heddle {
namespace {

bool is_same(mesh_terminals::mesh_sides one, mesh_terminals::mesh_sides other) {
  return one.width == other.width && one.height == other.height;
}

}  // namespace

mesh_terminals::of_mesh& mesh_terminals::on_mesh_of(const unit& router) {
  if (const auto known = by_router_.find(&router); known != by_router_.end()) return *known->second;
  std::vector<const flit_network::located*> found =
      router.sim().service<flit_network>().endpoints_of(router);
  std::sort(found.begin(), found.end(), [](const auto* a, const auto* b) {
    return endpoint_at(a->here) < endpoint_at(b->here);
  });
  const auto mesh = std::make_shared<of_mesh>();
  for (const flit_network::located* each : found) {
    by_router_[&each->endpoint->peer()->owner()] = mesh;
    const unit& owner = each->endpoint->owner();
    if (dynamic_cast<const mesh_traffic*>(&owner))
      mesh->terminals.add(owner.path(), endpoint_at(each->here), packet_granularity::flits);
  }
  return *(by_router_[&router] = mesh);
}

// A mesh is as large as its last endpoint says. Terminals may agree on a part of it.
void mesh_terminals::find_misfits(const flit_network& networks) {
  for (const std::vector<const flit_network::located*>& all : networks.endpoints_by_network()) {
    mesh_sides real;
    std::vector<const mesh_traffic*> terminals;
    for (const flit_network::located* each : all) {
      real.width = std::max(real.width, each->here.x + 1U);
      real.height = std::max(real.height, each->here.y + 1U);
      if (const auto* traffic = dynamic_cast<const mesh_traffic*>(&each->endpoint->owner()))
        terminals.push_back(traffic);
    }
    const bool are_agreed =
        std::all_of(terminals.begin(), terminals.end(), [&](const mesh_traffic* each) {
          return is_same(each->sides(), terminals.front()->sides());
        });
    for (const mesh_traffic* each : terminals) {
      const mesh_sides stated = each->sides();
      const bool is_beyond = stated.width > real.width || stated.height > real.height;
      if (is_beyond || (!are_agreed && !is_same(stated, real))) misfits_[each] = real;
    }
  }
}

void mesh_terminals::check_sides(const mesh_traffic& terminal) {
  if (!std::exchange(are_checked_, true)) find_misfits(terminal.sim().service<flit_network>());
  const auto found = misfits_.find(&terminal);
  if (found == misfits_.end()) return;
  const mesh_sides stated = terminal.sides(), real = found->second;
  throw user_error(
      fmt::format("{}: its traffic is for a mesh of {} x {}, but it stands in one of {} x {}",
                  terminal.path(), stated.width, stated.height, real.width, real.height));
}

}  // namespace heddle
