// Up*/down* routes (Autonet, 1991): links point up towards the roots, and a path goes up any number
// of times, then down any number of times, never up again. So no circle of channels waits for
// itself, whatever the graph and with one virtual channel.
//
// A switch that reaches the destination by going down alone does so, by the shortest such path;
// else it goes up, by the shortest path that is allowed.
//
// Limitations: paths may be longer than the shortest ones, and links near the roots carry more.
#pragma once

#include <vector>

#include "transactors/fabric/routing_policy.hpp"

namespace heddle {

class up_down_paths final : public routing_policy {
 public:
  // `roots`: where links point up to. Empty: the switches that are farthest from all endpoints,
  // where each of them reaches all others by going down (the top of a tree), else the switch in the
  // middle of the graph.
  up_down_paths(const topology& net, const std::vector<topology::index>& roots);

  void find(const destination_group& to, hops_by_switch& hops) const override;
  bool is_up(const topology::arc& over) const { return rank_[over.to] < rank_[over.from]; }

 private:
  void rank(const std::vector<topology::index>& roots);
  bool covers_all(const std::vector<topology::index>& roots) const;
  std::vector<topology::index> falling(const std::vector<topology::index>& homes) const;

  const topology& net_;
  std::vector<topology::index> rank_;   // by switch: a total order, the roots first
  std::vector<topology::index> order_;  // switches by rank
};

}  // namespace heddle
