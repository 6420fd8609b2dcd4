// The `topology` key itself: parts, names, planes, what is added to it, and mistakes.
#include <catch2/catch.hpp>

#include "platform/netlist/planner.hpp"
#include "platform/yaml/parse.hpp"
#include "tests/support/random_numbers.hpp"
#include "tests/unit/text/error_message.hpp"
#include "tests/unit/transactors/topologies/topology_graph.hpp"

using namespace heddle;
using names = std::vector<std::string>;

namespace {

std::string refusal(const std::string& keys, const std::string& more = "") {
  return error_message<user_error>([&] { plan_topology(keys, more); });
}

std::string value_of(const parameter_set& set, const std::string& name) {
  for (const parameter_base* each : set.all())
    if (each->name() == name) return each->text() + " from " + each->origin();
  return "no parameter " + name;
}

}  // namespace

TEST_CASE("parts of a topology take what is common to them and what is their own", "[topology]") {
  const netlist_plan plan = plan_topology(
      "kind: leaf_spine, hosts: 2, spines: 1, switch: {forwarding: 7 ns, pipes: 2   }, "
      "spine: {forwarding: 9 ns}, link: {latency: 5 ns}, uplink: {bandwidth: 2 GB/s, latency: 6 "
      "ns}");
  CHECK(value_of(*plan.find_unit("leaf[1]")->parameters, "forwarding") == "7 ns from t.yaml:3:72");
  CHECK(value_of(*plan.find_unit("spine[0]")->parameters, "forwarding") ==
        "9 ns from t.yaml:3:112");
  CHECK(value_of(*plan.find_unit("spine[0]")->parameters, "pipes") == "2 from t.yaml:3:85");
  CHECK(value_of(*plan.find_unit("spine[0]")->parameters, "ports") == "4 from t.yaml:3:11");
  CHECK(value_of(*plan.links.front().parameters, "latency") == "5 ns from t.yaml:3:135");
  CHECK(value_of(*plan.links[2].parameters, "latency") == "6 ns from t.yaml:3:179");
  CHECK(value_of(*plan.links[2].parameters, "bandwidth").rfind("2 GB/s", 0) == 0);
}

TEST_CASE("units of a topology have other names, and neighbors of the user's own", "[topology]") {
  const netlist_plan plan =
      plan_topology("kind: star, hosts: 2, names: {host: gpu, switch: nvs}, switch: {ports: 3}",
                    "units: {manager: {type: packet_traffic}}\nlinks: [{between: [manager.port, "
                    "\"nvs.port[2]\"]}]\n");
  const topology_graph graph(plan);
  CHECK(graph.links() == names{"gpu[0].port - nvs.port[0]", "gpu[1].port - nvs.port[1]",
                               "manager.port - nvs.port[2]"});
}

TEST_CASE("planes are copies of the fabric that every host is linked to", "[topology]") {
  const auto plan = [](const std::string& keys) {
    return plan_netlist(
        parse_yaml_text(
            "heddle: 1\nname: t\ntopology: {" + keys +
                ", host: {type: packetizer, base: \"${(i + 1) * 65536}\", size: 64 KiB, "
                "ports: 2}}\n",
            "t.yaml"),
        "t.yaml", {});
  };
  CHECK(topology_graph(plan("kind: star, hosts: 2, planes: 2")).links() ==
        names{"host[0].port[0] - switch[0].port[0]", "host[1].port[0] - switch[0].port[1]",
              "host[0].port[1] - switch[1].port[0]", "host[1].port[1] - switch[1].port[1]"});
  const topology_graph tiers(plan("kind: leaf_spine, leaves: 2, hosts: 1, spines: 1, planes: 2"));
  CHECK(tiers.links_between("leaf[1][0]", "spine[1][0]") == 1);
  CHECK(tiers.links_between("leaf[1][0]", "host[0]") == 1);
  CHECK(refusal("kind: star, planes: 2") ==
        "t.yaml:3:11: host[0].port is one port; the topology needs port 1 of it");
}

TEST_CASE("sizes that do not divide are refused at their key", "[topology]") {
  CHECK(refusal("kind: leaf_spine, hosts: 6, spines: 4") ==
        "t.yaml:3:48: 6 uplinks of a leaf do not spread evenly over 4 spines");
  CHECK(refusal("kind: leaf_spine, uplinks: 6") ==
        "t.yaml:3:39: 6 uplinks of a leaf do not spread evenly over 4 spines");
  CHECK(refusal("kind: leaf_spine, hosts: 4, oversubscription: 3") ==
        "t.yaml:3:58: 4 hosts of a leaf do not share uplinks 3 to 1");
  CHECK(refusal("kind: fat_tree, arity: 5") == "t.yaml:3:35: half of 5 ports do not lead upwards");
  CHECK(refusal("kind: fat_tree, down: [2, 2], up: [1]") ==
        "t.yaml:3:46: 1 tiers of parents, 2 of children");
  CHECK(refusal("kind: dragonfly, groups: 10") ==
        "t.yaml:3:37: 8 global links of a group do not reach 9 other groups");
  CHECK(refusal("kind: dragonfly, groups: 5, switches: 5, global_links: 1") ==
        "t.yaml:3:37: 5 global links of each of 5 groups leave one without an end");
}

TEST_CASE("what a topology does not know is refused", "[topology]") {
  CHECK(refusal("kind: tours") ==
        "t.yaml:3:18: unknown kind of topology \"tours\" (did you mean 'torus'?)");
  CHECK(refusal("kind: torus, side: 4") ==
        "t.yaml:3:25: unknown key 'side' in topology (did you mean 'sides'?)");
  CHECK(refusal("kind: torus, sides: [4, 0]") ==
        "t.yaml:3:36: expected an integer from 1 to 65535, got 0");
  CHECK(refusal("kind: torus, switch: {port: 4}") ==
        "t.yaml:3:34: unknown key 'port' in unit 'switch[0][0]' (did you mean 'ports'?)");
  CHECK(refusal("kind: torus, link: {latenzy: 4 ns}") ==
        "t.yaml:3:32: unknown key 'latenzy' in link (did you mean 'latency'?)");
  CHECK(refusal("kind: torus, switch: {array: 4}") ==
        "t.yaml:3:34: the topology says how many there are of 'switch'");
  CHECK(refusal("kind: star, names: {hots: gpu}") ==
        "t.yaml:3:32: unknown key 'hots' in names (did you mean 'host'?)");
  CHECK(refusal("kind: star", "units: {switch: {type: switch}}") ==
        "t.yaml:4:17: two units are called switch");
  CHECK(refusal("kind: torus, sides: [1000, 1000]") ==
        "t.yaml:3:11: an array of 1 to 65536 units, not of 1000 x 1000");
  CHECK(error_message<user_error>([] {
          plan_netlist(parse_yaml_text("heddle: 1\nname: t\ntopology: {kind: star}\n", "t.yaml"),
                       "t.yaml", {});
        }) ==
        "t.yaml:3:11: the topology needs a key 'host' (what stands at the ends, `i` counts "
        "them) with a `type` or a `use`");
}

namespace {

const std::vector<dimension> sizes = {{"kind", 0, {0, 1, 2, 3, 4, 5, 6, 7, 8}},
                                      {"hosts", 1, {1, 3}, true},
                                      {"parallel", 1, {1, 3}, true},
                                      {"a", 1, {1, 5}, true},
                                      {"b", 1, {1, 4}, true},
                                      {"c", 1, {1, 3}, true}};

std::string keys_of(const random_numbers& n) {
  const auto text = [&](const char* name, std::uint64_t factor = 1, std::uint64_t more = 0) {
    return std::to_string(n[name] * factor + more);
  };
  const std::string hosts = ", hosts: " + text("hosts"),
                    parallel = ", parallel: " + text("parallel");
  const std::string abc = "[" + text("a") + ", " + text("b") + ", " + text("c") + "]";
  switch (n["kind"]) {
    case 0:
      return "kind: star" + hosts;
    case 1:
      return "kind: full_mesh, switches: " + text("a", 1, 1) + hosts + parallel;
    case 2:
      return "kind: torus, sides: " + abc + hosts + parallel;
    case 3:
      return "kind: torus, wrap: false, sides: " + abc + hosts + parallel;
    case 4:
      return "kind: hyperx, sides: " + abc + hosts + parallel;
    case 5:
      return "kind: leaf_spine, leaves: " + text("a", 1, 1) + ", spines: " + text("b") +
             ", uplinks: " + std::to_string(n["b"] * n["c"]) + hosts;
    case 6:
      return "kind: fat_tree, down: " + abc + ", up: [1, " + text("c") + ", " + text("b") +
             "], parallel: [1, " + text("parallel") + ", 2]";
    case 7:
      return "kind: fat_tree, arity: " + text("a", 2);
    default:
      return "kind: dragonfly, groups: 4, switches: " + text("a") +
             ", global_links: " + text("b", 1, 2) + hosts + parallel;
  }
}

// What is wrong with the expansion; "" for nothing.
std::string flaw_of(const random_numbers& n) {
  try {
    const netlist_plan plan = plan_topology(keys_of(n));
    const topology_graph graph(plan);
    if (graph.reach("host[0]").second != plan.units.size()) return "not connected";
    const bool is_open = n["kind"] == 3;  // the ends of its rows
    if (!is_open && plan.links.size() > 1 && !graph.free_ports().empty())
      return graph.free_ports().front() + " is free";
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("every topology is connected and uses each port once", "[topology]") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const random_numbers drawn(sizes, seed);
    if (flaw_of(drawn).empty()) continue;
    const random_numbers simplest =
        shrink(drawn, [](const random_numbers& each) { return !flaw_of(each).empty(); });
    FAIL(keys_of(simplest) << ": " << flaw_of(simplest));
  }
}
