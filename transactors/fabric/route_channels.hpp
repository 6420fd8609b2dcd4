// The channels that routes of the packet plane use, and whether they can wait for each other in a
// circle. Requests and responses have channels of their own and the same routes, so one message
// class stands for both; channels of one phase of a class stand for each other.
//
// Limitations: every equal way counts as possible for every packet, whatever the key by which
// packets are spread over them.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "transactors/fabric/routing_policy.hpp"

namespace heddle {

class route_channels {
 public:
  // `sources`: whether packets start at or beside a switch.
  route_channels(const topology& net, int phases, std::vector<bool> sources);

  // The routes to one destination. Switches whose entries are equal have equal next hops.
  void add(const hops_by_switch& hops, const std::vector<std::uint32_t>& entries);
  // Throws user_error with the circle where there is one.
  void check() const;

 private:
  // Packets for some destinations: the channels over which they come, and where they go.
  struct junction {
    std::vector<routed_hop> hops;
    std::vector<bool> arrivals;  // by arc into the switch and phase
  };
  using channel = std::uint32_t;

  channel channel_of(const routed_hop& hop) const { return hop.arc * phases_ + hop.phase; }
  std::string name_of(channel c) const;

  const topology& net_;
  const std::uint32_t phases_;
  const std::vector<bool> sources_;
  std::vector<std::vector<topology::index>> arcs_into_;                 // by switch
  std::vector<std::uint32_t> position_;                                 // of an arc among those
  std::vector<std::unordered_map<std::uint32_t, junction>> junctions_;  // by switch and entry
};

}  // namespace heddle
