// A torus, or without wrap-around links a mesh, of packet switches in any number of dimensions.
//
// Ports: a switch has its hosts first, then for each dimension the links up and the links down. In
// a dimension of two, both lead to the same neighbor; in one of one, there are none.
#include "transactors/fabric/topologies/topology_parts.hpp"

namespace heddle {
namespace {

struct torus {
  struct parameters : grid_parameters {
    parameter<std::uint64_t> parallel{
        *this, "parallel", 1, within(1, 1024), "links between two neighbors", "one"};
    parameter<bool> wrap{*this, "wrap", true, "whether the ends of a row are neighbors",
                         "a torus; false: a mesh"};
  };

  static std::vector<topology_part> units() {
    return {host_part(), switch_part("switch", "the switches, an index a dimension")};
  }
  static std::vector<topology_part> links() {
    return {link_part("host_link", "from a host to its switch"),
            link_part("neighbor_link", "between neighbors")};
  }

  static void add_links(const parameters& p, const grid& switches, const fabric_plane& plane) {
    for (std::uint64_t number = 0; number < switches.size(); ++number) {
      const grid::coordinates here = switches.at(number);
      plane.link_hosts("switch", here, number, p.hosts());
      std::uint64_t up = p.hosts();
      for (std::size_t dimension = 0; dimension < here.size(); ++dimension) {
        const std::uint64_t side = p.sides()[dimension];
        const std::uint64_t next = (here[dimension] + 1) % side;
        if (side > 1 && (next > 0 || p.wrap()))
          for (std::uint64_t w = 0; w < p.parallel(); ++w)
            plane.link(
                "neighbor_link", plane.at("switch", here, up + w),
                plane.at("switch", grid::moved(here, dimension, next), up + p.parallel() + w));
        if (side > 1) up += 2 * p.parallel();
      }
    }
  }

  static void expand(const parameters& p, topology_plan& plan) {
    std::uint64_t ports = p.hosts();
    for (const std::uint64_t side : p.sides())
      if (side > 1) ports += 2 * p.parallel();
    // Packets change their virtual channel where a ring closes: two for each message class.
    for (const topology_part& each : links()) plan.set_default(each.key, "vcs", "4");
    add_grid(plan, p, ports);
    for (std::uint64_t each = 0; each < p.planes(); ++each)
      add_links(p, grid(p.sides()), fabric_plane(plan, each, p.planes()));
  }
};

HEDDLE_REGISTER_TOPOLOGY(torus,
                         describe_topology<torus>("torus",
                                                  "rings of switches in one to six dimensions"));

}  // namespace
}  // namespace heddle
