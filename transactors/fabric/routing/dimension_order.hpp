// Dimension-order routes: switches stand at the points of a grid of `sides`, and a packet corrects
// its first coordinate first, then the second, and so on (Dally and Seitz, 1987).
//
// In a dimension it goes straight to its coordinate where a link leads there (HyperX), else it
// steps along the ring or line the shorter way round. At half a ring both ways are equally short:
// from even coordinates it goes up, from odd ones down, so each direction has half of the traffic.
//
// The channels of a ring of five or more switches would wait for each other in a circle (in a ring
// of four the two ways round share none). The dateline of a ring lies between its last and its
// first switch: packets that have yet to cross it use the first virtual channel, all others the
// second. So such rings need two virtual channels in each message class.
#pragma once

#include <vector>

#include "transactors/fabric/routing/grid_places.hpp"
#include "transactors/fabric/routing_policy.hpp"

namespace heddle {

struct dimension_order_settings {
  grid_shape grid;  // switches that are no part of it follow shortest paths
  bool has_datelines = true;
};

class dimension_order final : public routing_policy {
 public:
  // Throws user_error for switches that do not fit the grid, and for links that change two
  // coordinates.
  dimension_order(const topology& net, const dimension_order_settings& settings);

  int phases() const override { return has_long_ring_ && has_datelines_ ? 2 : 1; }
  void find(const destination_group& to, hops_by_switch& hops) const override;

 private:
  using point = grid_places::coordinates;
  // The next switch in one dimension, and whether the way there crosses the dateline at last.
  struct step {
    topology::index coordinate;
    bool is_before_dateline;
  };

  void check_links();
  topology::index distance(topology::index from, topology::index to) const;
  topology::index distance_in(std::size_t dimension, topology::index from,
                              topology::index to) const;
  // Of the homes in the same plane; topology::none where there is none.
  topology::index nearest(topology::index at, const std::vector<topology::index>& homes) const;
  step step_towards(std::size_t dimension, topology::index from, topology::index to) const;

  const topology& net_;
  const bool has_datelines_;
  grid_places places_;
  // By switch: the plane, then the coordinates; empty for those that are no part of the grid.
  std::vector<point> points_;
  struct axis {
    bool is_ring = false;      // a link joins the first and the last
    bool is_complete = false;  // links join all pairs
  };
  std::vector<axis> dimensions_;
  bool has_long_ring_ = false;
};

}  // namespace heddle
