// A leaf-spine (folded Clos of two tiers): every leaf is linked to every spine.
//
// Ports: a leaf has its hosts first, then uplink u, which leads to spine u modulo `spines`; a spine
// has the links of leaf 0, then those of leaf 1, and so on.
#include <fmt/format.h>

#include "transactors/fabric/topologies/topology_parts.hpp"

namespace heddle {
namespace {

struct leaf_spine {
  struct parameters : topology_parameters {
    parameter<std::uint64_t> leaves{
        *this, "leaves", 2, within(1, 65'535), "leaf switches", "the smallest that has spines"};
    parameter<std::uint64_t> hosts{
        *this, "hosts", 4, within(1, 65'535), "hosts at each leaf", "a small rack"};
    parameter<std::uint64_t> spines{
        *this, "spines", 4, within(1, 65'535), "spine switches", "an uplink a host"};
    parameter<std::uint64_t> uplinks{
        *this,
        "uplinks",
        0,
        within(0, 65'535),
        "links of each leaf to the spines, spread over them evenly; 0: "
        "hosts / oversubscription",
        "follows from the hosts"};
    parameter<std::uint64_t> oversubscription{*this,
                                              "oversubscription",
                                              1,
                                              within(1, 1024),
                                              "hosts of a leaf for each of its uplinks",
                                              "a leaf carries what its hosts send"};
  };

  static std::vector<topology_part> units() {
    return {host_part(), switch_part("leaf", "the switches that hosts are at"),
            switch_part("spine", "the switches that join the leaves")};
  }
  static std::vector<topology_part> links() {
    return {link_part("host_link", "from a host to its leaf"),
            link_part("uplink", "from a leaf to a spine")};
  }

  static std::uint64_t uplinks_of(const parameters& p, const topology_plan& plan) {
    if (p.uplinks() == 0 && p.hosts() % p.oversubscription() != 0)
      plan.refuse("oversubscription", fmt::format("{} hosts of a leaf do not share uplinks {} to 1",
                                                  p.hosts(), p.oversubscription()));
    if (p.uplinks() != 0 && p.oversubscription() != 1)
      plan.refuse("oversubscription",
                  "`uplinks` says how many there are: `oversubscription` is "
                  "hosts / uplinks, and not given beside it");
    const std::uint64_t uplinks = p.uplinks() ? p.uplinks() : p.hosts() / p.oversubscription();
    if (uplinks % p.spines() != 0)
      plan.refuse(p.uplinks() ? "uplinks" : "spines",
                  fmt::format("{} uplinks of a leaf do not spread evenly over {} spines", uplinks,
                              p.spines()));
    return uplinks;
  }

  static void expand(const parameters& p, topology_plan& plan) {
    const std::uint64_t uplinks = uplinks_of(p, plan);
    const std::uint64_t parallel = uplinks / p.spines();
    plan.suggest_section("routing", "{policy: shortest}");
    plan.add_units("host", {p.leaves() * p.hosts()});
    add_switches(plan, "leaf", {p.leaves()}, p.planes(), p.hosts() + uplinks);
    add_switches(plan, "spine", {p.spines()}, p.planes(), p.leaves() * parallel);
    for (std::uint64_t each = 0; each < p.planes(); ++each) {
      const fabric_plane plane(plan, each, p.planes());
      for (std::uint64_t leaf = 0; leaf < p.leaves(); ++leaf) {
        plane.link_hosts("leaf", {leaf}, leaf, p.hosts());
        for (std::uint64_t up = 0; up < uplinks; ++up)
          plane.link("uplink", plane.at("leaf", {leaf}, p.hosts() + up),
                     plane.at("spine", {up % p.spines()}, leaf * parallel + up / p.spines()));
      }
    }
  }
};

HEDDLE_REGISTER_TOPOLOGY(leaf_spine,
                         describe_topology<leaf_spine>("leaf_spine",
                                                       "racks of hosts, each leaf at each spine"));

}  // namespace
}  // namespace heddle
