// How long a packet of no length takes over idle links and switches between the nodes of a gather,
// at least: the shortest way, whatever the routes are. Middle pipes of switches are not in it.
#pragma once

#include <vector>

#include "models/switch/switch.hpp"

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
  static constexpr std::size_t none = SIZE_MAX;

  std::vector<const packet_port*> nodes_;
  std::vector<std::size_t> home_;             // by node: number of its switch; `none`: no switch
  std::vector<fs_t> forwarding_;              // by switch
  std::vector<std::vector<fs_t>> from_home_;  // by switch with nodes, and switch: until it is there
};

}  // namespace heddle
