// The terminals of synthetic traffic on each mesh by their names, for those that address some of
// the others. Most patterns follow from coordinates alone, so names are collected when they are
// first asked for.
#pragma once

#include <memory>
#include <unordered_map>

#include "models/traffic/packet_trace.hpp"
#include "models/traffic/traffic_terminals.hpp"
#include "transactors/flit/flit.hpp"

namespace heddle {

// One per run: simulation::service<mesh_terminals>().
class mesh_terminals {
 public:
  struct of_mesh {
    traffic_terminals terminals;  // row by row, each from its first column on
    packet_traces traces;
  };
  // The terminals on the mesh to which that router belongs. The netlist is joined.
  of_mesh& on_mesh_of(const unit& router);

  // Positions as the endpoints of such terminals.
  static endpoint_id endpoint_at(mesh_position place) {
    return static_cast<endpoint_id>(place.y << 8 | place.x);
  }
  static mesh_position place_of(endpoint_id endpoint) {
    return {static_cast<std::uint8_t>(endpoint & 0xff), static_cast<std::uint8_t>(endpoint >> 8)};
  }

 private:
  std::unordered_map<const unit*, std::shared_ptr<of_mesh>> by_router_;
};

}  // namespace heddle
