// Minimal routes of a dragonfly (Kim et al., 2008): a hop in the own group to a switch with a link
// to the group of the destination, that link, a hop in the group of the destination. Of these
// routes a packet takes the shortest ones.
//
// Local hops in the destination's group use the second virtual channel of their message class, all
// others the first: no channel waits for one of an earlier phase.
//
// Limitations: minimal routes alone. Traffic that goes from one group to the next shares the few
// links between the two.
#pragma once

#include <string>
#include <vector>

#include "platform/text/diagnostic.hpp"
#include "transactors/fabric/routing_policy.hpp"

namespace heddle {

struct dragonfly_settings {
  topology::index groups = 1;
  std::string switches = "*";  // glob; the others follow shortest paths
  source_place place;
};

class dragonfly_paths final : public routing_policy {
 public:
  // The group of a switch is the first of two indices in its path, the second of three if the first
  // names a plane; or a single index counts all switches, group by group. Throws user_error for
  // switches that do not fit.
  dragonfly_paths(const topology& net, const dragonfly_settings& settings);

  int phases() const override { return 2; }
  void find(const destination_group& to, hops_by_switch& hops) const override;

 private:
  const topology& net_;
  std::vector<topology::index> group_of_;  // by switch; topology::none outside
};

}  // namespace heddle
