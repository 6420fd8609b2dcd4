// The terminals of synthetic traffic on each mesh by their names, for those that address some of
// the others. Most patterns follow from coordinates alone, so names are collected when they are
// first asked for. All of a mesh have to agree on its sides, which patterns count with.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "models/traffic/packet_trace.hpp"
#include "models/traffic/traffic_terminals.hpp"
#include "transactors/flit/flit.hpp"

namespace heddle {

class flit_network;
class mesh_traffic;

// One per run: simulation::service<mesh_terminals>().
class mesh_terminals {
 public:
  struct of_mesh {
    traffic_terminals terminals;  // row by row, each from its first column on
    packet_traces traces;
  };
  // The terminals on the mesh to which that router belongs. The netlist is joined.
  of_mesh& on_mesh_of(const unit& router);

  struct mesh_sides {
    std::uint32_t width = 0, height = 0;
  };
  // Throws user_error where the terminal counts with sides beyond those of its mesh, or with others
  // than the mesh has and another terminal there. The netlist is joined.
  void check_sides(const mesh_traffic& terminal);

  // Positions as the endpoints of such terminals.
  static endpoint_id endpoint_at(mesh_position place) {
    return static_cast<endpoint_id>(place.y << 8 | place.x);
  }
  static mesh_position place_of(endpoint_id endpoint) {
    return {static_cast<std::uint8_t>(endpoint & 0xff), static_cast<std::uint8_t>(endpoint >> 8)};
  }

 private:
  void find_misfits(const flit_network& networks);

  std::unordered_map<const unit*, std::shared_ptr<of_mesh>> by_router_;
  // Terminals that count with wrong sides, and those of their mesh: mostly none, so that a node of
  // a large mesh costs nothing.
  std::unordered_map<const mesh_traffic*, mesh_sides> misfits_;
  bool are_checked_ = false;
};

}  // namespace heddle
