// How long a packet of no length takes over idle links and switches between the nodes of a gather,
// at least: the shortest way, whatever the routes are. Middle pipes of switches are not in it.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "models/switch/switch.hpp"
#include "transactors/fabric/shortest_times.hpp"

namespace heddle {

class gather_ways {
 public:
  gather_ways() = default;
  // `nodes`: the port of each node's NIC; all are linked.
  gather_ways(std::vector<const packet_port*> nodes, const std::vector<packet_switch*>& switches);

  // One way, from the NIC of a node to that of another one.
  fs_t between(std::size_t from, std::size_t to) const;
  // What the NIC of a node is linked to, in most systems the switch of its rack.
  const unit& home_of(std::size_t node) const { return nodes_[node]->peer()->owner(); }

 private:
  std::vector<const packet_port*> nodes_;
  // By what nodes are linked to: from there until another unit has passed a packet on.
  std::unordered_map<const unit*, times_by_unit> from_home_;
};

}  // namespace heddle
