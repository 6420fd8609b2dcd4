#include "models/sparse/gather_laws.hpp"

#include <catch2/catch.hpp>

namespace heddle {
namespace {

constexpr auto read = gather_packet::read;
constexpr auto response = gather_packet::response;

TEST_CASE("separate requests carry 78 bytes of headers each, concatenated ones share 64") {
  for (std::uint64_t n = 1; n < 100; ++n) {
    CHECK(n * lone_packet_bytes(read, 64) == 78 * n);
    CHECK(gather_packet_bytes(read, n, 64) == 64 + 18 * n);
    CHECK(gather_packet_bytes(response, n, 64) == 64 + n * (18 + 64));
  }
  CHECK(lone_packet_bytes(response, 64) == 78 + 64);
}

TEST_CASE("an MTU of 1500 bytes holds what the formulas say") {
  CHECK(requests_in_mtu(read, 1500, 64) == 79);
  CHECK(requests_in_mtu(response, 1500, 4 * 1) == 65);
  CHECK(requests_in_mtu(response, 1500, 4 * 16) == 17);
  CHECK(requests_in_mtu(response, 1500, 4 * 128) == 2);
  CHECK(requests_in_mtu(response, 1500, 4 * 256) == 1);
  CHECK(requests_in_mtu(response, 1500, 1500 - 64 - 18) == 1);
  CHECK(requests_in_mtu(response, 1500, 1500 - 64 - 18 + 1) == 0);
  CHECK(requests_in_mtu(read, 63, 0) == 0);
}

TEST_CASE("software spends the share of headers that Table 3 prints") {
  const double percent[] = {97.6, 95.2, 90.9, 83.3, 71.4, 55.6, 38.5, 23.8, 13.5};
  for (std::uint64_t i = 0; i < 9; ++i)
    CHECK(100 * software_header_share(4 << i) == Approx(percent[i]).margin(0.05));
}

TEST_CASE("goodput over utilization is that of Table 7 within a few percent") {
  struct row {
    double requests_a_packet, goodput, utilization;
  };
  // arabic, europe, queen, stokes, uk
  const row rows[] = {
      {5.7, .35, .65}, {4.5, .37, .70}, {19.6, .40, .66}, {12.1, .38, .64}, {17, .30, .50}};
  for (const row& each : rows)
    CHECK(goodput_of_received(64, each.requests_a_packet) ==
          Approx(each.goodput / each.utilization).epsilon(0.08));
  CHECK(goodput_of_received(512, 0) == Approx(512 / (512. + 156)));
}

TEST_CASE("idle round trips are 2.4 us in a rack and 5.4 us between racks") {
  CHECK(idle_round_trip(2, 450e-9, 1, 300e-9) == Approx(2.4e-6));
  CHECK(idle_round_trip(4, 450e-9, 3, 300e-9) == Approx(5.4e-6));
}

TEST_CASE("a NIC holds about 3.5 MB") {
  CHECK(static_cast<double>(nic_storage{}.bytes()) == Approx(3.5e6).epsilon(0.05));
}

TEST_CASE("the bound of a run names the node and the resource that it comes from") {
  gather_machine machine;
  machine.link = 50e9;
  machine.pcie = 256e9;
  machine.nic_clock = 2.2e9;
  machine.held = 2.4e-6;
  machine.clients = 16;
  machine.pending = 256;
  machine.index_bytes = 4;
  std::vector<gather_load> nodes(3);
  nodes[0].received_bytes = 50'000;
  CHECK(lower_bound_of(nodes, machine).seconds == Approx(1e-6));
  nodes[1].sent_bytes = 100'000;
  CHECK(lower_bound_of(nodes, machine).node == 1);
  CHECK(lower_bound_of(nodes, machine).reason == "sent bytes");
  nodes[2].indices = 352'000;  // 10 us of 16 clients; 5.5 us of PCIe
  CHECK(lower_bound_of(nodes, machine).seconds == Approx(10e-6));
  nodes[0].requests = 40'960;  // ten tables full
  CHECK(lower_bound_of(nodes, machine).seconds == Approx(24e-6));
  CHECK(lower_bound_of(nodes, machine).node == 0);
  CHECK(lower_bound_of({}, machine).seconds == 0);
  machine.round_trip = 2.4e-6;
  machine.pcie_latency = 200e-9;
  machine.waits = 100e-6;
  CHECK(lower_bound_of(nodes, machine).seconds == Approx(103.8e-6));
  CHECK(lower_bound_of(nodes, machine).reason == "the path of one request");
  nodes[2].requests = 1;
  nodes[2].farthest = 106.8e-6;
  CHECK(lower_bound_of(nodes, machine).seconds == Approx(106.8e-6));
  CHECK(lower_bound_of(nodes, machine).node == 2);
  CHECK(lower_bound_of(nodes, machine).reason == "the path of one request");
  nodes[2].farthest = 1e-6;  // no path is shorter than the shortest
  CHECK(lower_bound_of(nodes, machine).seconds == Approx(103.8e-6));
  machine.pcie = 0;  // there is no bridge
  CHECK(lower_bound_of({{0, 0, 0, 0}}, machine).seconds == 0);
}

TEST_CASE("requests share as many packets as they need") {
  const auto check = [](std::uint64_t requests, std::uint64_t mtu, std::uint64_t packets) {
    const shared_packets shared = packets_shared_by(requests, read, mtu, 4);
    CHECK(shared.count == packets);
    CHECK(shared.bytes == 64 * packets + 18 * requests);
  };
  check(17, 1500, 1);
  check(79, 1500, 1);
  check(80, 1500, 2);
  check(17, 128, 6);  // three each
  check(18, 128, 6);
  check(19, 128, 7);
  check(5, 82, 5);
}

}  // namespace
}  // namespace heddle
