// Where a rank's memory lies in the fabric.
#pragma once

#include "platform/unit/simulation.hpp"
#include "platform/workload/workload_kind.hpp"
#include "transactors/fabric/fabric.hpp"

namespace heddle {

// nullptr: it has no address there, as a tile of a mesh, or where ranks share a memory.
inline const unit* endpoint_unit_of(const rank_core& rank, simulation& sim) {
  const fabric& net = sim.service<fabric>();
  const address_window* const window = net.find_window(rank.resources().window);
  return window ? net.endpoint(window->endpoint).owner : nullptr;
}

}  // namespace heddle
