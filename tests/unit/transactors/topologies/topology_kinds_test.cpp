// What each kind of topology links to what.
#include <catch2/catch.hpp>

#include "tests/unit/transactors/topologies/topology_graph.hpp"

using namespace heddle;
using names = std::vector<std::string>;

TEST_CASE("a star has all hosts at one switch", "[topology]") {
  const topology_graph graph(plan_topology("kind: star, hosts: 3"));
  CHECK(graph.links() == names{"host[0].port - switch.port[0]", "host[1].port - switch.port[1]",
                               "host[2].port - switch.port[2]"});
}

TEST_CASE("a leaf-spine spreads the uplinks of a leaf over all spines", "[topology]") {
  const topology_graph graph(
      plan_topology("kind: leaf_spine, leaves: 2, hosts: 2, spines: 2, uplinks: 4"));
  CHECK(graph.links() ==
        names{"host[0].port - leaf[0].port[0]", "host[1].port - leaf[0].port[1]",
              "leaf[0].port[2] - spine[0].port[0]", "leaf[0].port[3] - spine[1].port[0]",
              "leaf[0].port[4] - spine[0].port[1]", "leaf[0].port[5] - spine[1].port[1]",
              "host[2].port - leaf[1].port[0]", "host[3].port - leaf[1].port[1]",
              "leaf[1].port[2] - spine[0].port[2]", "leaf[1].port[3] - spine[1].port[2]",
              "leaf[1].port[4] - spine[0].port[3]", "leaf[1].port[5] - spine[1].port[3]"});
  const topology_graph racks(plan_topology("kind: leaf_spine, leaves: 8, hosts: 16, spines: 4"));
  CHECK(racks.free_ports().empty());
  CHECK(racks.links_between("leaf[3]", "spine[2]") == 4);
  CHECK(racks.degree("spine[0]") == 32);
  const topology_graph thin(
      plan_topology("kind: leaf_spine, leaves: 2, hosts: 8, spines: 2, oversubscription: 4"));
  CHECK(thin.degree("leaf[0]") == 10);
}

TEST_CASE("a full mesh links all switches to each other", "[topology]") {
  const topology_graph graph(plan_topology("kind: full_mesh, switches: 4, hosts: 2, parallel: 3"));
  CHECK(graph.free_ports().empty());
  for (const char* other : {"switch[0]", "switch[1]", "switch[3]"})
    CHECK(graph.links_between("switch[2]", other) == 3);
  CHECK(graph.degree("switch[2]") == 2 + 9);
}

TEST_CASE("a torus is a ring in each dimension", "[topology]") {
  const topology_graph graph(plan_topology("kind: torus, sides: [4, 3]"));
  CHECK(graph.free_ports().empty());
  CHECK(graph.links_between("switch[3][1]", "switch[0][1]") == 1);
  CHECK(graph.links_between("switch[1][2]", "switch[1][0]") == 1);
  CHECK(graph.links_between("switch[0][0]", "switch[2][0]") == 0);
  CHECK(graph.distance("switch[0][0]", "switch[2][2]") == 3);
  const topology_graph cube(plan_topology("kind: torus, sides: [8, 8, 8]"));
  CHECK(cube.reach("switch[0][0][0]") == std::make_pair(std::uint64_t{13}, std::size_t{1024}));
}

TEST_CASE("rows of two and of one, and a torus without wrap-around links", "[topology]") {
  const topology_graph graph(plan_topology("kind: torus, sides: [1, 2], hosts: 2"));
  CHECK(graph.links_between("switch[0][0]", "switch[0][1]") == 2);
  CHECK(graph.degree("switch[0][0]") == 4);
  const topology_graph mesh(plan_topology("kind: torus, sides: [3, 2], wrap: false"));
  CHECK(mesh.links_between("switch[0][0]", "switch[2][0]") == 0);
  CHECK(mesh.links_between("switch[0][0]", "switch[0][1]") == 1);
  CHECK(mesh.degree("switch[1][1]") == 1 + 3);
}

TEST_CASE("a HyperX links all switches of a row in every dimension", "[topology]") {
  const topology_graph graph(
      plan_topology("kind: hyperx, sides: [4, 4, 2], hosts: 4, parallel: 4"));
  CHECK(graph.free_ports().empty());
  CHECK(graph.degree("switch[1][2][1]") == 32);
  CHECK(graph.links_between("switch[1][2][1]", "switch[3][2][1]") == 4);
  CHECK(graph.links_between("switch[1][2][1]", "switch[2][3][1]") == 0);
  CHECK(graph.reach("switch[0][0][0]").first == 4);  // three rows, and the link to a host
}

TEST_CASE("a fat tree of switches of one kind has three tiers", "[topology]") {
  const topology_graph graph(plan_topology("kind: fat_tree, arity: 4"));
  CHECK(graph.free_ports().empty());
  CHECK(graph.degree("core[3]") == 4);
  CHECK(graph.distance("host[0]", "host[1]") == 2);
  CHECK(graph.distance("host[0]", "host[2]") == 4);
  CHECK(graph.reach("host[0]") == std::make_pair(std::uint64_t{6}, std::size_t{16 + 20}));
}

TEST_CASE("a fat tree by tiers has children and parents as told", "[topology]") {
  const topology_graph graph(
      plan_topology("kind: fat_tree, down: [4, 3, 2], up: [1, 2, 3], parallel: [1, 2, 1]"));
  CHECK(graph.free_ports().empty());
  CHECK(graph.degree("leaf[5]") == 4 + 4);
  CHECK(graph.links_between("leaf[0]", "spine[1]") == 2);
  CHECK(graph.links_between("leaf[3]", "spine[0]") == 0);
  CHECK(graph.degree("spine[3]") == 6 + 3);
  CHECK(graph.reach("host[0]") == std::make_pair(std::uint64_t{6}, std::size_t{24 + 6 + 4 + 6}));
  const topology_graph large(plan_topology("kind: fat_tree, down: [16, 16, 16], up: [1, 16, 16]"));
  CHECK(large.free_ports().empty());
  CHECK(large.reach("host[4095]").second == 4096 + 3 * 256);
}

TEST_CASE("a dragonfly shares its global links as evenly as they go", "[topology]") {
  const topology_graph balanced(plan_topology("kind: dragonfly"));
  CHECK(balanced.free_ports().empty());
  CHECK(balanced.reach("switch[0][0]").first == 4);
  const topology_graph uneven(
      plan_topology("kind: dragonfly, groups: 4, switches: 8, hosts: 4, global_links: 4"));
  CHECK(uneven.free_ports().empty());
  std::map<std::pair<int, int>, std::uint64_t> between;
  for (const std::string& each : uneven.links()) {
    const std::size_t other = each.find(" - switch[") + 10;
    if (each.rfind("switch[", 0) == 0 && each[7] != each[other])
      ++between[std::minmax(each[7] - '0', each[other] - '0')];
  }
  const std::map<std::pair<int, int>, std::uint64_t> expected = {
      {{0, 1}, 11}, {{1, 2}, 11}, {{2, 3}, 11}, {{0, 3}, 11}, {{0, 2}, 10}, {{1, 3}, 10}};
  CHECK(between == expected);
}
