// Next hops that the netlist lists one by one; where it lists none, shortest paths.
//
//   routing:
//     policy: table
//     routes:
//       - {at: "sw[0]", to: "gpu[4].ni", through: "port[5]"}
//       - {at: "sw[*]", to: "host.ni", through: ["port[6]", "port[7]"]}
//
// Of several routes for one pair the last holds. What an endpoint has beside itself needs no route.
#pragma once

#include <string>
#include <vector>

#include "platform/text/diagnostic.hpp"
#include "transactors/fabric/routing_policy.hpp"

namespace heddle {

struct listed_route {
  std::string at, to;                // globs of switches, and of units with endpoints
  std::vector<std::string> through;  // ports of the switch
  source_place place;
};

class listed_routes final : public routing_policy {
 public:
  // Throws user_error for a route that names nobody, or ports that lead to no switch.
  listed_routes(const topology& net, const std::vector<endpoint_record>& endpoints,
                const std::vector<listed_route>& routes);

  bool is_by_endpoint() const override { return true; }
  void find(const destination_group& to, hops_by_switch& hops) const override;

 private:
  struct resolved {
    std::vector<topology::index> at;
    std::vector<std::vector<routed_hop>> hops;  // by `at`
    std::vector<bool> to;                       // by endpoint
  };

  std::vector<routed_hop> hops_of(const listed_route& route, topology::index at) const;

  const topology& net_;
  std::vector<resolved> routes_;
};

}  // namespace heddle
