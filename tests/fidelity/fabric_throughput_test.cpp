// Throughput of fabrics under uniform and worst-case traffic, against the bound of the busiest
// link. The bound follows from the routes that packets really take; where a textbook has a closed
// form for these routes, the bound is compared with that first. Sources offer just what the bound
// allows: queueing, arbitration and buffers may cost 3 % of it.
//
// More than the bound would measure something else: outputs serve their inputs in turns, so a
// source near a bottleneck gets more of it than one far away, and the sum over all sources falls
// although the bottleneck is busy all the time (Dally and Towles 2004, 15.4.1).
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "platform/services/link_directory.hpp"
#include "platform/time/kernel_run.hpp"
#include "tests/fidelity/channel_loads.hpp"
#include "tests/fidelity/forked_runs.hpp"
#include "tests/support/traffic_system.hpp"

using namespace heddle;

namespace {

// A packet of 200 B takes 2 ns on each link.
struct traffic {
  std::string keys;  // of the terminals
  traffic_matrix matrix;
};

const traffic uniform = {"pattern: uniform", uniform_traffic};
const traffic bit_complement = {"pattern: bit_complement", bit_complement_traffic};

// All of a group into the next one.
traffic next_group(std::size_t group) {
  return {fmt::format("pattern: next_group, group: {}", group), next_group_traffic(group)};
}
traffic shift(std::size_t by) {
  return {fmt::format("pattern: shift, shift: {}", by), shift_traffic(by)};
}

struct fabric_case {
  std::string topology;  // keys of `topology` and `routing`
  traffic offered = uniform;
  double measure_ns = 4000;  // after half as long
};

struct throughput {
  double bound = 0;  // of the busiest link
  double accepted = 0;
  bool has_failed = false;
};

std::string netlist_of(const fabric_case& c, double load) {
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
      c.offered.keys, load, c.measure_ns / 2, c.measure_ns, c.topology);
}

throughput measure(const fabric_case& c) {
  // The kernel elaborates once a process: the bound is found in a process of its own.
  const auto bound_of = [&](const fabric_case& fabric) {
    traffic_system system(netlist_of(fabric, 0));
    return find_bound(system.sim, fabric.offered.matrix).throughput();
  };
  const double bound = forked_runs(std::vector{c}, bound_of).front();
  const auto offer = [&](double load) {
    traffic_system system(netlist_of(c, load));
    run_kernel_for(static_cast<fs_t>(1.5 * c.measure_ns) * fs_per_ns);
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
const std::string ring =
    "  kind: torus\n"
    "  sides: [8]\n";
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
  check_throughput({leaf_spine, next_group(8)}, 1);
}
TEST_CASE("half as many uplinks let half of the traffic between leaves pass") {
  check_throughput({thin_leaf_spine, next_group(8)}, 0.5);
}
TEST_CASE("uniform traffic fills the links of hosts on a fat tree") {
  check_throughput({fat_tree}, 1);
}
TEST_CASE("traffic from pod to pod fills every link of a fat tree") {
  check_throughput({fat_tree, next_group(4)}, 1);
}
TEST_CASE("uniform traffic on a HyperX is bound by its shortest side") {
  // Half of what the hosts of a switch send crosses a side of two: 4 / 2 for one link.
  check_throughput({hyperx}, 0.5 * 127 / 128);
}
TEST_CASE("traffic from switch to switch on a HyperX has one link between them") {
  check_throughput({hyperx, next_group(4)}, 0.25);
}
TEST_CASE("uniform traffic on a dragonfly") {
  check_throughput({dragonfly}, 1);
}
TEST_CASE("traffic from group to group on a dragonfly has the links between two groups") {
  check_throughput({dragonfly, next_group(16)}, 0.5);
}
TEST_CASE("uniform traffic on a torus takes 8/k of every node") {
  check_throughput({torus, uniform, 8000}, 63.0 / 64);
}
TEST_CASE("traffic from row to row of a torus") {
  check_throughput({torus, next_group(8), 8000}, 1);
}
// Three hops up along the slowest coordinate: each link of its rings has three flows.
TEST_CASE("tornado traffic on a torus leaves a third of every link") {
  check_throughput({torus, shift(3 * 8), 8000}, 1.0 / 3);
}
TEST_CASE("tornado traffic on a torus of three dimensions leaves a third of every link") {
  check_throughput({large_torus, shift(3 * 64)}, 1.0 / 3);
}
// From 2 to 5 and from 3 to 4 go the same way in each ring.
TEST_CASE("bit complement on a torus has two flows on its busiest links") {
  check_throughput({torus, bit_complement, 8000}, 0.5);
}

// Offered more than its bound, the ring accepts less than that. The bottleneck does not idle: the
// sources get unequal shares of it. With outputs that served the oldest packet first, all sources
// would send the same, and the ring would accept its bound at any load and with any buffer (tried).
TEST_CASE("above its bound a ring of eight loses throughput to unequal shares alone") {
  struct shares {
    double accepted = 0, busiest = 0;
    double fewest = 1e30, most = 0;  // packets that a host has sent
  };
  const auto offer = [](double load) {
    traffic_system system(netlist_of({ring, uniform, 40'000}, load));
    run_kernel_for(60 * fs_per_us);
    shares found;
    found.accepted = system.summary().at(0).accepted_share;
    for (const link_record& each : system.sim.service<link_directory>().links)
      found.busiest =
          std::max(found.busiest, static_cast<double>(each.figures().busy) / (60 * fs_per_us));
    for (int host = 0; host < 8; ++host) {
      const auto sent =
          static_cast<double>(system.of(fmt::format("host[{}]", host)).packets_sent.raw());
      found.fewest = std::min(found.fewest, sent);
      found.most = std::max(found.most, sent);
    }
    return found;
  };
  constexpr double bound = 7.0 / 8;
  const std::vector<shares> found = forked_runs(std::vector{0.99 * bound, 1.0}, offer);
  CHECK(found[0].accepted >= 0.97 * bound);
  CHECK(found[0].fewest > 0.98 * found[0].most);
  CHECK(found[1].accepted < 0.95 * bound);
  CHECK(found[1].busiest > 0.98);
  CHECK(found[1].fewest < 0.8 * found[1].most);
}

// 3600 links are busy all the time here, and their queues settle within 10 us: about a minute.
TEST_CASE("uniform traffic on a torus of three dimensions takes 8/k of every node", "[long]") {
  check_throughput({large_torus, uniform, 10'000}, 511.0 / 512);
}
