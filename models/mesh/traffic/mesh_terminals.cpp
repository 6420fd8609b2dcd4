#include "models/mesh/traffic/mesh_terminals.hpp"

#include <fmt/format.h>

#include <algorithm>
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

const mesh_terminals::known_sides& mesh_terminals::sides_at(const unit& router) {
  if (const auto known = sides_.find(&router); known != sides_.end()) return *known->second;
  const auto found = std::make_shared<known_sides>();
  const mesh_traffic* first = nullptr;
  for (const flit_network::located* each :
       router.sim().service<flit_network>().endpoints_of(router)) {
    sides_[&each->endpoint->peer()->owner()] = found;
    found->real.width = std::max(found->real.width, each->here.x + 1U);
    found->real.height = std::max(found->real.height, each->here.y + 1U);
    const auto* terminal = dynamic_cast<const mesh_traffic*>(&each->endpoint->owner());
    if (!terminal) continue;
    if (!first) first = terminal;
    if (!is_same(terminal->sides(), first->sides())) found->are_agreed = false;
  }
  return *(sides_[&router] = found);
}

void mesh_terminals::check_sides(const mesh_traffic& terminal, const unit& router) {
  const mesh_sides stated = terminal.sides();
  const known_sides& known = sides_at(router);
  const mesh_sides real = known.real;
  if (real.width == 0) return;  // no router, but another terminal
  const bool is_beyond = stated.width > real.width || stated.height > real.height;
  if (is_beyond || (!known.are_agreed && !is_same(stated, real)))
    throw user_error(
        fmt::format("{}: its traffic is for a mesh of {} x {}, but it stands in one of {} x {}",
                    terminal.path(), stated.width, stated.height, real.width, real.height));
}

}  // namespace heddle
