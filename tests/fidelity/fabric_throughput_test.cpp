// Throughput of fabrics under uniform and worst-case traffic, against the bound of the busiest
// link. The bound follows from the routes that packets really take; where a textbook has a closed
// form for these routes, the bound is compared with that first. Sources offer just what the bound
// allows: queueing, arbitration and buffers may cost 3 % of it.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/fidelity/channel_loads.hpp"
#include "tests/fidelity/forked_runs.hpp"
#include "tests/support/traffic_system.hpp"

using namespace heddle;

namespace {

// A packet of 200 B takes 2 ns on each link.
struct fabric_case {
  std::string topology;   // keys of `topology` and `routing`
  std::size_t group = 0;  // 0: uniform, else worst case: all of a group into the next
  double measure_ns = 4000;
};

struct throughput {
  double bound = 0;  // of the busiest link
  double accepted = 0;
  bool has_failed = false;
};

std::string netlist_of(const fabric_case& c, double load) {
  const std::string pattern =
      c.group == 0 ? "pattern: uniform" : fmt::format("pattern: next_group, group: {}", c.group);
  return fmt::format(
      "heddle: 1\n"
      "name: fabric\n"
      "data: off\n"
      "topology:\n"
      "  host: {{type: packet_traffic, {}, load: {}, packet_bytes: 200 B, warmup: {} ns,\n"
      "         measure: {} ns, cooldown: 0 ns}}\n"
      "  switch: {{forwarding: 20 ns}}\n"
      "  link: {{bandwidth: 100 GB/s, latency: 10 ns, buffer: 64 KiB}}\n"
      "{}",
      pattern, load, c.measure_ns / 2, c.measure_ns, c.topology);
}

throughput measure(const fabric_case& c) {
  traffic_matrix matrix = uniform_traffic;
  if (c.group > 0) matrix = next_group_traffic(c.group);
  // The kernel elaborates once a process: the bound is found in a process of its own.
  const auto bound_of = [&](const fabric_case& fabric) {
    traffic_system system(netlist_of(fabric, 0));
    return find_bound(system.sim, matrix).throughput();
  };
  const double bound = forked_runs(std::vector{c}, bound_of).front();
  const auto offer = [&](double load) {
    traffic_system system(netlist_of(c, load));
    sc_core::sc_start(to_sc_time(static_cast<fs_t>(1.5 * c.measure_ns) * fs_per_ns));
    return throughput{load, system.summary().at(0).accepted_share, !system.failures().empty()};
  };
  return forked_runs(std::vector{bound}, offer).front();
}

void check_throughput(const fabric_case& c, double closed_form) {
  const throughput found = measure(c);
  CHECK(found.bound == Approx(closed_form).epsilon(1e-6));
  CHECK(found.accepted >= 0.97 * found.bound);
  CHECK(found.accepted <= 1.01 * found.bound);
  CHECK_FALSE(found.has_failed);
}

const std::string leaf_spine =
    "  kind: leaf_spine\n"
    "  leaves: 4\n"
    "  hosts: 8\n"
    "  spines: 8\n";
const std::string thin_leaf_spine =
    "  kind: leaf_spine\n"
    "  leaves: 4\n"
    "  hosts: 8\n"
    "  spines: 4\n"
    "  oversubscription: 2\n";
const std::string fat_tree =
    "  kind: fat_tree\n"
    "  arity: 4\n";
const std::string hyperx =
    "  kind: hyperx\n"
    "  sides: [4, 4, 2]\n"
    "  hosts: 4\n";
const std::string dragonfly =
    "  kind: dragonfly\n"
    "  groups: 4\n"
    "  switches: 8\n"
    "  hosts: 2\n"
    "  global_links: 3\n";
const std::string torus =
    "  kind: torus\n"
    "  sides: [8, 8]\n";
const std::string large_torus =
    "  kind: torus\n"
    "  sides: [8, 8, 8]\n";

}  // namespace

TEST_CASE("uniform traffic fills the links of hosts on a leaf-spine") {
  check_throughput({leaf_spine}, 1);
}
TEST_CASE("traffic from leaf to leaf fills every uplink of a leaf-spine") {
  check_throughput({leaf_spine, 8}, 1);
}
TEST_CASE("half as many uplinks let half of the traffic between leaves pass") {
  check_throughput({thin_leaf_spine, 8}, 0.5);
}
TEST_CASE("uniform traffic fills the links of hosts on a fat tree") {
  check_throughput({fat_tree}, 1);
}
TEST_CASE("traffic from pod to pod fills every link of a fat tree") {
  check_throughput({fat_tree, 4}, 1);
}
TEST_CASE("uniform traffic on a HyperX is bound by its shortest side") {
  // Half of what the hosts of a switch send crosses a side of two: 4 / 2 for one link.
  check_throughput({hyperx}, 0.5 * 127 / 128);
}
TEST_CASE("traffic from switch to switch on a HyperX has one link between them") {
  check_throughput({hyperx, 4}, 0.25);
}
TEST_CASE("uniform traffic on a dragonfly") {
  check_throughput({dragonfly}, 1);
}
TEST_CASE("traffic from group to group on a dragonfly has the links between two groups") {
  check_throughput({dragonfly, 16}, 0.5);
}
TEST_CASE("uniform traffic on a torus takes 8/k of every node") {
  check_throughput({torus, 0, 8000}, 63.0 / 64);
}
TEST_CASE("traffic from row to row of a torus") {
  check_throughput({torus, 8, 8000}, 1);
}
TEST_CASE("uniform traffic on a torus of three dimensions takes 8/k of every node", "[long]") {
  check_throughput({large_torus, 0, 16'000}, 511.0 / 512);
}
