// Zero-load latency of every pair of hosts: equal to the sum of its parts, to the femtosecond. The
// parts are those of the way that the routes state; how many switches it has follows from the
// topology, whatever the routes say.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>

#include "platform/netlist/builder.hpp"
#include "platform/netlist/planner.hpp"
#include "platform/time/kernel_run.hpp"
#include "platform/unit/registry.hpp"
#include "platform/yaml/parse.hpp"
#include "tests/fidelity/route_walk.hpp"

using namespace heddle;

namespace {

constexpr std::uint32_t packet_bytes = 200;
constexpr fs_t forwarding = 40 * fs_per_ns;

// A host that sends one packet when told to and remembers when the last one arrived.
class probe final : public unit, private packet_receiver {
 public:
  using parameters = parameter_set;
  using counters = statistic_set;
  static std::vector<port_description> port_descriptions() {
    return {{"port", "packet", "a link into the fabric"}};
  }

  probe(const unit_context& context, const parameters&)
      : unit(context),
        port_(*this, *this, "port", 0),
        id(sim().service<fabric>().add_endpoint(*this, 0, 0)) {}

  packet make_packet(const probe& to) const {
    packet p;
    p.kind = packet_kind::traffic;
    p.source = id;
    p.destination = to.id;
    p.wire_bytes = packet_bytes;
    p.payload_bytes = packet_bytes / 2;
    p.carries_data = false;
    return p;
  }
  void send(const probe& to) {
    packet& p = *take_packet();
    p = make_packet(to);
    if (!port_.has_credits(p, now_fs())) throw user_error("no credits in an idle network");
    port_.send(p, now_fs(), now_fs());
  }

  fs_t arrived = 0;  // the last byte of the latest packet

 private:
  void receive(packet_port& at, packet& p) override {
    arrived = p.tail;
    at.release(p, p.tail);
    give_back(&p);
  }
  void credits_returned(packet_port&) override {}

  packet_port port_;

 public:
  const endpoint_id id;
};

HEDDLE_REGISTER_UNIT(probe, describe_unit<probe>("probe", "sends single packets"));

// Switches on the way from one host to another: at least and at most.
struct switch_range {
  int least, most;
  switch_range(int exactly) : least(exactly), most(exactly) {}  // NOLINT: a number is a range
  switch_range(int from, int to) : least(from), most(to) {}
};
using switch_count = std::function<switch_range(int from, int to)>;

struct tally {
  fs_t sum = 0, slowest_wire = 0;
  int links = 0;
};

// Cut-through: the wires carry the packet at the same time, the slowest one sets its length.
tally parts_of(const route_walk& walk, const probe& from, const probe& to) {
  tally parts;
  walk.follow(from.make_packet(to), from, [&](const packet_port& leaving, int) {
    parts.sum += leaving.latency() + (parts.links > 0 ? forwarding : 0);
    parts.slowest_wire = std::max(parts.slowest_wire, leaving.rate().duration(packet_bytes));
    ++parts.links;
  });
  return parts;
}

void check_all_pairs(const std::string& topology, std::size_t hosts, const switch_count& switches) {
  const netlist_plan plan = plan_netlist(parse_yaml_text("heddle: 1\n"
                                                         "name: pairs\n"
                                                         "topology:\n"
                                                         "  host: {type: probe}\n"
                                                         "  switch: {forwarding: 40 ns}\n" +
                                                             topology,
                                                         "pairs.yaml"),
                                         "pairs.yaml", {});
  simulation sim(plan.settings);
  const built_system system(plan, sim);
  std::vector<probe*> probes;
  for (unit* each : sim.units())
    if (auto* host = dynamic_cast<probe*>(each)) probes.push_back(host);
  REQUIRE(probes.size() == hosts);

  const route_walk walk(sim);
  std::size_t wrong_ways = 0, wrong_times = 0;
  std::string first;
  sc_core::sc_spawn([&] {
    for (std::size_t from = 0; from < hosts; ++from)
      for (std::size_t to = 0; to < hosts; ++to) {
        if (from == to) continue;
        const tally parts = parts_of(walk, *probes[from], *probes[to]);
        const switch_range allowed = switches(static_cast<int>(from), static_cast<int>(to));
        const int passed = parts.links - 1;
        if (passed < allowed.least || passed > allowed.most) ++wrong_ways;
        const fs_t start = now_fs();
        probes[from]->send(*probes[to]);
        sc_core::wait(10, sc_core::SC_US);
        if (probes[to]->arrived == start + parts.sum + parts.slowest_wire) continue;
        if (++wrong_times == 1) first = probes[from]->path() + " to " + probes[to]->path();
      }
  });
  run_kernel();
  INFO("first: " << first);
  CHECK(wrong_ways == 0);
  CHECK(wrong_times == 0);
  CHECK(now_fs() == hosts * (hosts - 1) * 10 * fs_per_us);
}

int distance_on_ring(int a, int b, int size) {
  const int apart = std::abs(a - b);
  return std::min(apart, size - apart);
}

}  // namespace

TEST_CASE("every pair of a leaf-spine") {
  check_all_pairs(
      "  kind: leaf_spine\n"
      "  leaves: 4\n"
      "  hosts: 4\n"
      "  spines: 4\n"
      "  host_link: {bandwidth: 100 GB/s, latency: 10 ns}\n"
      "  uplink: {bandwidth: 50 GB/s, latency: 123 ns}\n",
      16, [](int a, int b) { return a / 4 == b / 4 ? 1 : 3; });
}

TEST_CASE("every pair of a fat tree") {
  check_all_pairs(
      "  kind: fat_tree\n"
      "  arity: 6\n"
      "  host_link: {bandwidth: 100 GB/s, latency: 10 ns}\n"
      "  uplink: {bandwidth: 60 GB/s, latency: 123 ns}\n"
      "  core_link: {bandwidth: 70 GB/s, latency: 1007 ns}\n",
      54, [](int a, int b) { return a / 3 == b / 3   ? 1
                                    : a / 9 == b / 9 ? 3
                                                     : 5; });
}

TEST_CASE("every pair of a HyperX") {
  check_all_pairs(
      "  kind: hyperx\n"
      "  sides: [4, 4, 2]\n"
      "  hosts: 2\n"
      "  host_link: {bandwidth: 100 GB/s, latency: 10 ns}\n"
      "  row_link: {bandwidth: 90 GB/s, latency: 77 ns}\n",
      64, [](int a, int b) {
        a /= 2;
        b /= 2;
        return 1 + (a / 8 != b / 8) + (a / 2 % 4 != b / 2 % 4) + (a % 2 != b % 2);
      });
}

TEST_CASE("every pair of a torus") {
  check_all_pairs(
      "  kind: torus\n"
      "  sides: [6, 5, 4]\n"
      "  host_link: {bandwidth: 100 GB/s, latency: 10 ns}\n"
      "  neighbor_link: {bandwidth: 90 GB/s, latency: 33 ns}\n",
      120, [](int a, int b) {
        return 1 + distance_on_ring(a / 20, b / 20, 6) + distance_on_ring(a / 4 % 5, b / 4 % 5, 5) +
               distance_on_ring(a % 4, b % 4, 4);
      });
}

TEST_CASE("every pair of a torus of 512, each side of eight") {
  check_all_pairs(
      "  kind: torus\n"
      "  sides: [8, 8, 8]\n"
      "  link: {bandwidth: 100 GB/s, latency: 33 ns}\n",
      512, [](int a, int b) {
        return 1 + distance_on_ring(a / 64, b / 64, 8) + distance_on_ring(a / 8 % 8, b / 8 % 8, 8) +
               distance_on_ring(a % 8, b % 8, 8);
      });
}

TEST_CASE("every pair of a dragonfly") {
  check_all_pairs(
      "  kind: dragonfly\n"
      "  groups: 4\n"
      "  switches: 8\n"
      "  hosts: 2\n"
      "  global_links: 3\n"
      "  host_link: {bandwidth: 100 GB/s, latency: 10 ns}\n"
      "  local_link: {bandwidth: 90 GB/s, latency: 33 ns}\n"
      "  global_link: {bandwidth: 80 GB/s, latency: 501 ns}\n",
      64, [](int a, int b) {
        if (a / 2 == b / 2) return switch_range(1);
        return a / 16 == b / 16 ? switch_range(2) : switch_range(2, 4);
      });
}
