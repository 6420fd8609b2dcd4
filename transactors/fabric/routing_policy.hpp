// Which ways lead to a destination, as a rule over the graph of switches. Each policy is one file.
#pragma once

#include <cstdint>
#include <vector>

#include "transactors/fabric/destinations.hpp"
#include "transactors/fabric/topology.hpp"

namespace heddle {

// The way over an arc. A packet changes its virtual channel with the phase of its route, so that
// channels of later phases never wait for those of earlier ones.
struct routed_hop {
  topology::index arc;
  std::uint8_t phase = 0;
};
using hops_by_switch = std::vector<std::vector<routed_hop>>;

class routing_policy {
 public:
  virtual ~routing_policy() = default;

  // Virtual channels that routes need in each message class.
  virtual int phases() const { return 1; }
  // Whether endpoints behind the same switches have routes of their own.
  virtual bool is_by_endpoint() const { return false; }
  // The next hops of packets for that destination, by switch, in the order of ports: none at its
  // homes, and none where no way is. `hops` has an empty list for each switch.
  virtual void find(const destination_group& to, hops_by_switch& hops) const = 0;
};

}  // namespace heddle
