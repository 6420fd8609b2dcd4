// A star: every host at the one switch of each plane.
//
// Limitations: as many ports a switch as hosts.
#include "transactors/fabric/topologies/topology_parts.hpp"

namespace heddle {
namespace {

struct star {
  struct parameters : topology_parameters {
    parameter<std::uint64_t> hosts{*this,
                                   "hosts",
                                   8,
                                   within(1, 65'535),
                                   "hosts at the switch",
                                   "DGX: eight accelerators at every switch plane"};
  };

  static std::vector<topology_part> units() {
    return {host_part(), switch_part("switch", "the switch of each plane")};
  }
  static std::vector<topology_part> links() {
    return {link_part("link", "from a host to a switch")};
  }

  static void expand(const parameters& p, topology_plan& plan) {
    plan.add_units("host", {p.hosts()});
    add_switches(plan, "switch", {}, p.planes(), p.hosts());
    for (std::uint64_t each = 0; each < p.planes(); ++each) {
      const fabric_plane plane(plan, each, p.planes());
      for (std::uint64_t host = 0; host < p.hosts(); ++host)
        plane.link("link", plane.host(host), plane.at("switch", {}, host));
    }
  }
};

HEDDLE_REGISTER_TOPOLOGY(star, describe_topology<star>("star",
                                                       "all hosts at one switch, or one a plane"));

}  // namespace
}  // namespace heddle
