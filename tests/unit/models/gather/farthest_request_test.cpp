// The bound that follows from the farthest request of a gather: what it is made of, and that no
// request is faster.
#include <catch2/catch.hpp>

#include "models/workloads/gather/farthest_request.hpp"
#include "tests/unit/models/gather/rig_bench.hpp"

using namespace heddle;

namespace {

constexpr double us = 1e-6;
constexpr double pcie = 7 * 0.2 * us;
constexpr double nic_waits = 2 * 500 * 454'545e-15;
constexpr double pass = 16 * 0.5e-9, tor_wait = 125 * 0.5e-9;

gather_system system_of(const rig_bench& b) {
  gather_system system;
  std::vector<const packet_port*> ports;
  for (const rig_bench::node& each : b.nodes) {
    system.nodes.push_back({nullptr, each.nic, nullptr});
    system.bridges.push_back(each.bridge);
    ports.push_back(&each.nic->port());
  }
  system.racks.assign(b.tors.begin(), b.tors.end());
  system.switches = b.leaves;
  if (b.spine) system.switches.push_back(b.spine);
  system.ways = gather_ways(ports, system.switches);
  return system;
}

gather_figures figures_at_end(const rig_bench& b, gather_machine& machine) {
  const gather_system system = system_of(b);
  machine = machine_of(system, 0);
  machine.waits = b.set.concatenates ? nic_waits : 0;
  gather_figures of = figures_of(system);
  note_farthest(of, system, machine, b.set.length);
  return of;
}

rig_bench_settings two_racks(bool uses_switch) {
  rig_bench_settings set;
  set.racks = 2;
  set.uses_switch = set.concatenates = uses_switch;
  return set;
}

// From node 0 to an index of that node; `network`: seconds between the NICs.
void check_lone_request(bool uses_switch, std::uint32_t owner, double network) {
  rig_bench b(two_racks(uses_switch));
  const std::uint32_t index = owner * 64 + 3;
  b.start([&] { b.post(0, {0, {index}}); });
  b.run();
  REQUIRE(b.completions.size() == 1);
  gather_machine machine;
  const gather_figures of = figures_at_end(b, machine);
  CHECK(of.asked[0][owner] == 1);
  CHECK(of.nodes[0].farthest == Approx(pcie + network + machine.waits));
  CHECK(of.nodes[owner].farthest == 0);
  const gather_bound bound = lower_bound_of(loads_of(of), machine);
  CHECK(bound.seconds == of.nodes[0].farthest);
  CHECK(bound.node == 0);
  CHECK(bound.seconds < seconds(b.completions[0].when - b.doorbells[0]));
}

// Two nodes of a rack ask for the same property of another rack, one after the other.
void check_shared_request(bool inserts_all, double farthest) {
  rig_bench_settings set = two_racks(true);
  set.inserts_all = inserts_all;
  rig_bench b(set);
  b.start([&] {
    b.post(0, {0, {3 * 64}});
    sc_core::wait(to_sc_time(50 * fs_per_us));
    b.post(1, {0, {3 * 64}});  // from the cache
  });
  b.run();
  REQUIRE(b.completions.size() == 2);
  CHECK(b.tors[0]->count().hits.raw() == 1);
  gather_machine machine;
  const gather_figures of = figures_at_end(b, machine);
  CHECK(of.nodes[0].farthest == Approx(farthest));
  CHECK(of.nodes[1].farthest == Approx(farthest));
  CHECK(lower_bound_of(loads_of(of), machine).seconds <
        seconds(b.completions[0].when - b.doorbells[0]));
}

}  // namespace

TEST_CASE("ways between nodes are those over the fewest and fastest links") {
  rig_bench b(two_racks(false));
  b.start([] {});
  b.run();
  const gather_ways ways = system_of(b).ways;
  CHECK(ways.between(0, 1) == 1200 * fs_per_ns);
  CHECK(ways.between(0, 2) == 2700 * fs_per_ns);
  CHECK(ways.between(3, 0) == 2700 * fs_per_ns);
  CHECK(&ways.home_of(0) == &ways.home_of(1));
  CHECK(&ways.home_of(1) != &ways.home_of(2));
}

TEST_CASE("the path of a lone request in a rack is a bound that it does not reach") {
  check_lone_request(false, 1, 2.4 * us);
}

TEST_CASE("the path of a lone request between racks is a bound that it does not reach") {
  check_lone_request(false, 3, 5.4 * us);
}

TEST_CASE("the path of a lone request through the switch of a rack is a bound, too") {
  check_lone_request(true, 1, 2.4 * us + 2 * pass);
}

TEST_CASE("the path of a lone request through the switches of two racks is a bound, too") {
  check_lone_request(true, 3, 5.4 * us + 4 * pass + 2 * tor_wait);
}

TEST_CASE("what others of a rack have asked for shortens no bound, and lengthens none") {
  check_shared_request(false, pcie + 5.4 * us + 4 * pass + 2 * tor_wait + nic_waits);
}

TEST_CASE("where caches have answers of own hosts, no bound follows from other racks") {
  check_shared_request(true, 0);  // the owner's switch may have answered
}
