// Rings of switches under full load, with link buffers of a single packet: free of deadlock with
// datelines or routes up and down, refused without, and stuck when the check is turned off.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/fidelity/forked_runs.hpp"
#include "tests/support/traffic_system.hpp"

using namespace heddle;

namespace {

std::string netlist_of(const std::string& sides, const std::string& routing) {
  return fmt::format(
      "heddle: 1\n"
      "name: ring\n"
      "topology:\n"
      "  kind: torus\n"
      "  sides: {}\n"
      "  host: {{type: packet_traffic, load: 1, packet_bytes: 200 B, warmup: 0 ns,\n"
      "         measure: 4 us, cooldown: 0 ns}}\n"
      "  switch: {{forwarding: 20 ns}}\n"
      "  link: {{bandwidth: 100 GB/s, latency: 10 ns, buffer: 200 B, vcs: 4}}\n"
      "routing: {{{}}}\n",
      sides, routing);
}

struct delivery {
  std::uint64_t sent = 0, received = 0;
  bool has_failed = false;
};

// Until all packets are there, or none moves any more.
delivery deliver(const std::string& netlist) {
  traffic_system system(netlist);
  system.run();
  delivery found;
  for (const unit* each : system.sim.units())
    if (const auto* host = dynamic_cast<const packet_traffic*>(each)) {
      found.sent += host->count().packets_sent.raw();
      found.received += host->count().packets_received.raw();
    }
  found.has_failed = !system.failures().empty();
  return found;
}

void check_delivers(const std::string& sides, const std::string& routing, int hosts) {
  const delivery found = forked_runs(std::vector{netlist_of(sides, routing)}, deliver).front();
  CHECK_FALSE(found.has_failed);
  CHECK(found.received == found.sent);
  CHECK(found.sent == static_cast<std::uint64_t>(hosts) * 2000);
}

std::string refusal_of(const std::string& sides, const std::string& routing) {
  try {
    const traffic_system system(netlist_of(sides, routing));
  } catch (const user_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a ring of eight with datelines delivers everything") {
  check_delivers("[8]", "policy: dimension_order, sides: [8], datelines: on", 8);
}
TEST_CASE("a ring of eight with routes up and down delivers everything") {
  check_delivers("[8]", "policy: up_down", 8);
}
TEST_CASE("a torus with datelines delivers everything") {
  check_delivers("[4, 4, 4]", "policy: dimension_order, sides: [4, 4, 4], datelines: on", 64);
}
// Rings of five and more are the ones that need their datelines.
TEST_CASE("a torus of long rings with datelines delivers everything") {
  check_delivers("[6, 5]", "policy: dimension_order, sides: [6, 5], datelines: on", 30);
}
TEST_CASE("a torus with routes up and down delivers everything") {
  check_delivers("[5, 5]", "policy: up_down", 25);
}

TEST_CASE("a ring of eight with shortest paths is refused with its cycle") {
  CHECK_THAT(refusal_of("[8]", "policy: shortest"), Catch::Contains("can deadlock"));
}
TEST_CASE("a torus without datelines is refused with its cycle") {
  CHECK_THAT(refusal_of("[5, 5]", "policy: dimension_order, sides: [5, 5], datelines: off"),
             Catch::Contains("can deadlock"));
}

TEST_CASE("a ring of eight whose check is off gets stuck, and the run fails") {
  const std::string netlist = netlist_of("[8]", "policy: shortest, check: off");
  const delivery found = forked_runs(std::vector{netlist}, deliver).front();
  CHECK(found.has_failed);
  CHECK(found.received < found.sent);
}
