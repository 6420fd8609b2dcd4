// A full mesh: a link, or several, between every two switches.
//
// Ports: a switch has its hosts first, then the links to the other switches in their order, all
// first links of the pairs before the second ones.
#include "transactors/fabric/topologies/topology_parts.hpp"

namespace heddle {
namespace {

struct full_mesh {
  struct parameters : topology_parameters {
    parameter<std::uint64_t> switches{
        *this, "switches", 4, within(2, 65'535), "switches, all linked to each other", "a few"};
    parameter<std::uint64_t> hosts{*this, "hosts", 1, within(1, 65'535), "hosts at each switch",
                                   "one"};
    parameter<std::uint64_t> parallel{
        *this, "parallel", 1, within(1, 1024), "links between two switches", "one"};
  };

  static std::vector<topology_part> units() {
    return {host_part(), switch_part("switch", "the switches")};
  }
  static std::vector<topology_part> links() {
    return {link_part("host_link", "from a host to its switch"),
            link_part("mesh_link", "between two switches")};
  }

  // The port of the first link from one switch to another.
  static std::uint64_t port_of(const parameters& p, std::uint64_t from, std::uint64_t to) {
    return p.hosts() + (to < from ? to : to - 1);
  }

  static void expand(const parameters& p, topology_plan& plan) {
    const std::uint64_t others = p.switches() - 1;
    plan.suggest_section("routing", "{policy: shortest}");
    plan.add_units("host", {p.switches() * p.hosts()});
    add_switches(plan, "switch", {p.switches()}, p.planes(), p.hosts() + others * p.parallel());
    for (std::uint64_t each = 0; each < p.planes(); ++each) {
      const fabric_plane plane(plan, each, p.planes());
      for (std::uint64_t a = 0; a < p.switches(); ++a) {
        plane.link_hosts("switch", {a}, a, p.hosts());
        for (std::uint64_t b = a + 1; b < p.switches(); ++b)
          for (std::uint64_t w = 0; w < p.parallel(); ++w)
            plane.link("mesh_link", plane.at("switch", {a}, port_of(p, a, b) + w * others),
                       plane.at("switch", {b}, port_of(p, b, a) + w * others));
      }
    }
  }
};

HEDDLE_REGISTER_TOPOLOGY(full_mesh, describe_topology<full_mesh>(
                                        "full_mesh", "switches that are all linked to each other"));

}  // namespace
}  // namespace heddle
