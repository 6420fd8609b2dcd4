// A HyperX: a grid of switches in which all switches of a row, in each dimension, are linked to
// each other (Ahn et al., SC 2009).
//
// Ports: a switch has its hosts first, then for each dimension the links to the other coordinates
// in their order, all first links of the pairs before the second ones.
#include "transactors/fabric/topologies/topology_parts.hpp"

namespace heddle {
namespace {

struct hyperx {
  struct parameters : grid_parameters {
    parameter<std::uint64_t> parallel{
        *this, "parallel", 1, within(1, 1024), "links between two switches of a row", "one"};
  };

  static std::vector<topology_part> units() {
    return {host_part(), switch_part("switch", "the switches, an index a dimension")};
  }
  static std::vector<topology_part> links() {
    return {link_part("host_link", "from a host to its switch"),
            link_part("row_link", "between two switches of a row")};
  }

  static void add_links(const parameters& p, const grid& switches, const fabric_plane& plane) {
    for (std::uint64_t number = 0; number < switches.size(); ++number) {
      const grid::coordinates here = switches.at(number);
      plane.link_hosts("switch", here, number, p.hosts());
      std::uint64_t first = p.hosts();
      for (std::size_t dimension = 0; dimension < here.size(); ++dimension) {
        const std::uint64_t others = p.sides()[dimension] - 1;
        const std::uint64_t from = here[dimension];
        for (std::uint64_t to = from + 1; to <= others; ++to)
          for (std::uint64_t w = 0; w < p.parallel(); ++w)
            plane.link(
                "row_link", plane.at("switch", here, first + w * others + to - 1),
                plane.at("switch", grid::moved(here, dimension, to), first + w * others + from));
        first += others * p.parallel();
      }
    }
  }

  static void expand(const parameters& p, topology_plan& plan) {
    std::uint64_t ports = p.hosts();
    for (const std::uint64_t side : p.sides()) ports += (side - 1) * p.parallel();
    add_grid(plan, p, ports);
    for (std::uint64_t each = 0; each < p.planes(); ++each)
      add_links(p, grid(p.sides()), fabric_plane(plan, each, p.planes()));
  }
};

HEDDLE_REGISTER_TOPOLOGY(hyperx,
                         describe_topology<hyperx>("hyperx",
                                                   "a grid of switches, rows fully linked"));

}  // namespace
}  // namespace heddle
