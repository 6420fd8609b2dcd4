// A fat tree of one to four tiers of switches, described as a parallel-ports generalized fat tree
// (Zahavi, 2010): `down` and `up` count children and parents from the hosts upwards, `parallel` the
// links between a child and a parent. `arity: k` is the three-tier tree of switches with k ports
// each (Al-Fares et al., SIGCOMM 2008).
//
// Ports: a switch has the links to its children first, those of a child side by side, then the
// links upwards, all first links to the parents before the second ones.
#include <fmt/format.h>

#include <array>

#include "platform/unit/count_list.hpp"
#include "transactors/fabric/topologies/topology_parts.hpp"

namespace heddle {
namespace {

constexpr std::size_t most_tiers = 4;
constexpr std::array<const char*, most_tiers + 1> unit_names = {"host", "leaf", "spine", "core",
                                                                "top"};
constexpr std::array<const char*, most_tiers> link_names = {"host_link", "uplink", "core_link",
                                                            "top_link"};

using counts = std::vector<std::uint64_t>;

// One tier of links: between the units of tier t and those of tier t + 1.
struct tier {
  std::uint64_t down = 0, up = 0, parallel = 0;
};

struct fat_tree {
  struct parameters : topology_parameters {
    parameter<std::uint64_t> arity{*this,
                                   "arity",
                                   0,
                                   within(0, 1024),
                                   "ports of every switch of a three-tier tree; 0: as `down`, `up` "
                                   "and `parallel` say",
                                   "given by the lists"};
    count_list_parameter down{*this,
                              "down",
                              {4, 4},
                              within<std::uint64_t>(1, 65'535),
                              most_tiers,
                              "children of a switch of each tier, from the leaves upwards",
                              "a small tree of two tiers"};
    count_list_parameter up{*this,
                            "up",
                            {1, 4},
                            within<std::uint64_t>(1, 65'535),
                            most_tiers,
                            "parents of a unit of each tier, from the hosts upwards",
                            "leaves pass on what their hosts send"};
    count_list_parameter parallel{*this,
                                  "parallel",
                                  {1},
                                  within<std::uint64_t>(1, 1024),
                                  most_tiers,
                                  "links between a child and a parent, from the hosts upwards; one "
                                  "count holds for all tiers",
                                  "one"};
  };

  static std::vector<topology_part> units() {
    return {host_part(), switch_part("leaf", "switches of the first tier"),
            switch_part("spine", "switches of the second tier"),
            switch_part("core", "switches of the third tier"),
            switch_part("top", "switches of the fourth tier")};
  }
  static std::vector<topology_part> links() {
    return {link_part("host_link", "from a host to a leaf"),
            link_part("uplink", "from the first to the second tier"),
            link_part("core_link", "from the second to the third tier"),
            link_part("top_link", "from the third to the fourth tier")};
  }

  static std::vector<tier> tiers_of(const parameters& p, const topology_plan& plan) {
    counts down = p.down(), up = p.up(), parallel = p.parallel();
    if (p.arity() != 0) {
      if (p.arity() % 2 != 0)
        plan.refuse("arity", fmt::format("half of {} ports do not lead upwards", p.arity()));
      const std::uint64_t half = p.arity() / 2;
      down = {half, half, p.arity()};
      up = {1, half, half};
    }
    if (up.size() != down.size())
      plan.refuse("up", fmt::format("{} tiers of parents, {} of children", up.size(), down.size()));
    if (parallel.size() == 1) parallel.resize(down.size(), parallel.front());
    if (parallel.size() != down.size())
      plan.refuse("parallel",
                  fmt::format("{} tiers of links, {} of children", parallel.size(), down.size()));
    std::vector<tier> tiers;
    for (std::size_t i = 0; i < down.size(); ++i) tiers.push_back({down[i], up[i], parallel[i]});
    return tiers;
  }

  // Units of a tier: 0 for the hosts. Saturates far above what a netlist may have.
  static std::uint64_t size_of(const std::vector<tier>& tiers, std::size_t level) {
    constexpr std::uint64_t enough = 1'000'000;
    std::uint64_t size = 1;
    for (std::size_t i = 0; i < tiers.size() && size < enough; ++i)
      size *= i < level ? tiers[i].up : tiers[i].down;
    return size;
  }

  static topology_end unit_at(const fabric_plane& plane, const std::vector<tier>& tiers,
                              std::size_t level, std::uint64_t number, std::uint64_t port) {
    if (level == 0) return plane.host(number, port, tiers[0].up * tiers[0].parallel);
    return plane.at(unit_names[level], {number}, port);
  }

  // A unit is numbered by its digits, the subtree that it is in first: x of the tiers above it,
  // then y of those below. A parent differs in the digit of the tier between them.
  static void add_tier(const std::vector<tier>& tiers, std::size_t level,
                       const fabric_plane& plane) {
    const tier& links = tiers[level];
    std::uint64_t parents_below = 1;  // units of this tier in a subtree
    for (std::size_t i = 0; i < level; ++i) parents_below *= tiers[i].up;
    const std::uint64_t first_up =
        level == 0 ? 0 : tiers[level - 1].down * tiers[level - 1].parallel;
    for (std::uint64_t child = 0; child < size_of(tiers, level); ++child) {
      const std::uint64_t x = child / parents_below, y = child % parents_below;
      for (std::uint64_t up = 0; up < links.up; ++up) {
        const std::uint64_t parent = ((x / links.down) * parents_below + y) * links.up + up;
        for (std::uint64_t w = 0; w < links.parallel; ++w)
          plane.link(link_names[level],
                     unit_at(plane, tiers, level, child, first_up + w * links.up + up),
                     unit_at(plane, tiers, level + 1, parent, x % links.down * links.parallel + w));
      }
    }
  }

  static void expand(const parameters& p, topology_plan& plan) {
    const std::vector<tier> tiers = tiers_of(p, plan);
    plan.suggest_section("routing", "{policy: shortest}");
    plan.add_units("host", {size_of(tiers, 0)});
    for (std::size_t level = 1; level <= tiers.size(); ++level) {
      std::uint64_t ports = tiers[level - 1].down * tiers[level - 1].parallel;
      if (level < tiers.size()) ports += tiers[level].up * tiers[level].parallel;
      add_switches(plan, unit_names[level], {size_of(tiers, level)}, p.planes(), ports);
    }
    for (std::uint64_t each = 0; each < p.planes(); ++each)
      for (std::size_t level = 0; level < tiers.size(); ++level)
        add_tier(tiers, level, fabric_plane(plan, each, p.planes()));
  }
};

HEDDLE_REGISTER_TOPOLOGY(fat_tree, describe_topology<fat_tree>(
                                       "fat_tree", "one to four tiers of switches, tree or Clos"));

}  // namespace
}  // namespace heddle
