// A dragonfly (Kim et al., ISCA 2008): groups of switches that are all linked to each other, and
// the groups linked to each other as evenly as their global links allow.
//
// Ports: a switch has its hosts first, then the local links to the other switches of its group,
// then its global links. Global link n of a group is at switch n modulo `switches`.
#include <fmt/format.h>

#include "transactors/fabric/topologies/topology_parts.hpp"

namespace heddle {
namespace {

struct dragonfly {
  struct parameters : topology_parameters {
    parameter<std::uint64_t> groups{*this,
                                    "groups",
                                    9,
                                    within(1, 65'535),
                                    "groups of switches",
                                    "Kim et al.: switches x global links + 1"};
    parameter<std::uint64_t> switches{
        *this, "switches", 4, within(1, 65'535), "switches of a group", "Kim et al.: 2 x hosts"};
    parameter<std::uint64_t> hosts{
        *this, "hosts", 2, within(1, 65'535), "hosts at each switch", "a small one"};
    parameter<std::uint64_t> global_links{*this,
                                          "global_links",
                                          2,
                                          within(1, 65'535),
                                          "links of each switch to other groups",
                                          "Kim et al.: as many as hosts"};
    parameter<std::uint64_t> parallel{
        *this, "parallel", 1, within(1, 1024), "links between two switches of a group", "one"};
  };

  static std::vector<topology_part> units() {
    return {host_part(), switch_part("switch", "the switches: group, then number in it")};
  }
  static std::vector<topology_part> links() {
    return {link_part("host_link", "from a host to its switch"),
            link_part("local_link", "between two switches of a group"),
            link_part("global_link", "between two groups")};
  }

  static void check(const parameters& p, const topology_plan& plan) {
    const std::uint64_t links = p.switches() * p.global_links();
    if (p.groups() > 1 && links < p.groups() - 1)
      plan.refuse("groups", fmt::format("{} global links of a group do not reach {} other groups",
                                        links, p.groups() - 1));
    if (p.groups() > 1 && links % (p.groups() - 1) % 2 != 0 && p.groups() % 2 != 0)
      plan.refuse("groups", fmt::format("{} global links of each of {} groups leave one without an "
                                        "end",
                                        links, p.groups()));
  }

  // Every group has as many links as any other: `links` over all others, and what is left over one
  // more to the nearest in both directions, and to the opposite one.
  static std::uint64_t links_between(const parameters& p, std::uint64_t a, std::uint64_t b) {
    const std::uint64_t links = p.switches() * p.global_links(), others = p.groups() - 1;
    const std::uint64_t left = links % others, apart = b - a;
    const std::uint64_t distance = apart < p.groups() - apart ? apart : p.groups() - apart;
    const bool is_near = distance <= left / 2;
    const bool is_opposite = left % 2 == 1 && 2 * distance == p.groups();
    return links / others + (is_near || is_opposite ? 1 : 0);
  }

  static void add_group(const parameters& p, std::uint64_t group, const fabric_plane& plane) {
    const std::uint64_t others = p.switches() - 1;
    for (std::uint64_t a = 0; a < p.switches(); ++a) {
      plane.link_hosts("switch", {group, a}, group * p.switches() + a, p.hosts());
      for (std::uint64_t b = a + 1; b < p.switches(); ++b)
        for (std::uint64_t w = 0; w < p.parallel(); ++w)
          plane.link("local_link", plane.at("switch", {group, a}, p.hosts() + w * others + b - 1),
                     plane.at("switch", {group, b}, p.hosts() + w * others + a));
    }
  }

  static topology_end global_end(const parameters& p, const fabric_plane& plane,
                                 std::uint64_t group, std::uint64_t n) {
    const std::uint64_t first = p.hosts() + (p.switches() - 1) * p.parallel();
    return plane.at("switch", {group, n % p.switches()}, first + n / p.switches());
  }

  static void add_global_links(const parameters& p, const fabric_plane& plane) {
    std::vector<std::uint64_t> used(p.groups(), 0);
    for (std::uint64_t distance = 1; distance < p.groups(); ++distance)
      for (std::uint64_t a = 0; a + distance < p.groups(); ++a)
        for (std::uint64_t n = links_between(p, a, a + distance); n > 0; --n)
          plane.link("global_link", global_end(p, plane, a, used[a]++),
                     global_end(p, plane, a + distance, used[a + distance]++));
  }

  static void expand(const parameters& p, topology_plan& plan) {
    check(p, plan);
    const std::uint64_t ports =
        p.hosts() + (p.switches() - 1) * p.parallel() + (p.groups() > 1 ? p.global_links() : 0);
    // Packets change their virtual channel with the group: two for each message class.
    for (const topology_part& each : links()) plan.set_default(each.key, "vcs", "4");
    plan.suggest_section(
        "routing", fmt::format("{{policy: dragonfly, groups: {}, switches: '{}[*'}}", p.groups(),
                               plan.name_of("switch")));
    add_switches(plan, "switch", {p.groups(), p.switches()}, p.planes(), ports);
    plan.add_units("host", {p.groups() * p.switches() * p.hosts()});
    for (std::uint64_t each = 0; each < p.planes(); ++each) {
      const fabric_plane plane(plan, each, p.planes());
      for (std::uint64_t group = 0; group < p.groups(); ++group) add_group(p, group, plane);
      add_global_links(p, plane);
    }
  }
};

HEDDLE_REGISTER_TOPOLOGY(dragonfly,
                         describe_topology<dragonfly>(
                             "dragonfly", "groups of fully linked switches, linked to each other"));

}  // namespace
}  // namespace heddle
