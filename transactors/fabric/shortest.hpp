// All paths with the fewest hops.
//
// Limitations: hops count alike, whatever their bandwidth and latency; in a ring of switches these
// routes can deadlock, which the check of channel dependencies finds.
#pragma once

#include "transactors/fabric/routing_policy.hpp"

namespace heddle {

class shortest_paths final : public routing_policy {
 public:
  explicit shortest_paths(const topology& net) : net_(net) {}
  void find(const destination_group& to, hops_by_switch& hops) const override;

 private:
  const topology& net_;
};

// Hops from each switch to the nearest of the homes; topology::none where no path is.
std::vector<topology::index> hops_to(const topology& net,
                                     const std::vector<topology::index>& homes);

}  // namespace heddle
