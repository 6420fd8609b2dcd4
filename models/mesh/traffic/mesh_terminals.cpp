#include "models/mesh/traffic/mesh_terminals.hpp"

#include <algorithm>
#include <vector>

#include "models/mesh/traffic/mesh_traffic.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/flit/flit_network.hpp"

namespace heddle {

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

}  // namespace heddle
