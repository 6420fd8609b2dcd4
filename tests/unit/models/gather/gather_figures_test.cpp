// Laws that hold in every gather, against figures that break one of them.
#include <catch2/catch.hpp>

#include <functional>

#include "models/workloads/gather/gather_figures.hpp"

using namespace heddle;

namespace {

// Node 0 asks node 1 for 10 properties of 64 B, in one packet there and one back.
gather_figures lawful() {
  gather_figures of;
  of.nodes.resize(2);
  gather_node_figures &asks = of.nodes[0], &serves = of.nodes[1];
  asks.local = 5;
  asks.filtered = 2;
  asks.coalesced = 3;
  asks.issued = asks.responses = 10;
  serves.local = 20;
  serves.served = 10;
  asks.request_packets = serves.response_packets = 1;
  asks.received_packets = serves.received_packets = 1;
  asks.received_requests = serves.received_requests = 10;
  asks.property_bytes = 640;
  asks.sent_bytes = asks.link_bytes = serves.received_bytes = serves.link_in_bytes = 64 + 180;
  serves.sent_bytes = serves.link_bytes = asks.received_bytes = asks.link_in_bytes = 64 + 820;
  of.links = {{"port[0], in", 244, 244}};
  return of;
}

gather_expectation expectation() {
  gather_expectation expected;
  expected.nonzeros = {20, 20};
  expected.length = 64;
  expected.everything = 64'000;
  expected.seconds = 10e-6;
  expected.machine.link = 50e9;
  expected.machine.nic_clock = 2.2e9;
  expected.machine.round_trip = expected.machine.held = 2.4e-6;
  expected.machine.pcie_latency = 200e-9;
  expected.machine.clients = 16;
  expected.machine.pending = 256;
  return expected;
}

std::string told(const std::function<void(gather_figures&)>& break_one) {
  gather_figures of = lawful();
  break_one(of);
  return broken_law(of, expectation());
}

}  // namespace

TEST_CASE("a gather that keeps every law is not complained about") {
  CHECK(broken_law(lawful(), expectation()).empty());
}

TEST_CASE("nonzeros, requests and bytes that do not add up are told") {
  const auto contains = [](const std::string& part) { return Catch::Contains(part); };
  CHECK_THAT(told([](gather_figures& f) { ++f.nodes[0].filtered; }), contains("nonzeros"));
  CHECK_THAT(told([](gather_figures& f) { --f.nodes[0].responses; }), contains("9 responses"));
  CHECK_THAT(told([](gather_figures& f) { --f.nodes[1].served; }), contains("9 served"));
  CHECK_THAT(told([](gather_figures& f) { ++f.nodes[0].cache_hits; }), contains("1 cache hits"));
  CHECK_THAT(told([](gather_figures& f) { ++f.nodes[0].link_bytes; }), contains("245 B on the"));
  CHECK_THAT(told([](gather_figures& f) { ++f.nodes[0].link_in_bytes; }), contains("885 B sent"));
  CHECK_THAT(told([](gather_figures& f) { ++f.links[0].counted; }), contains("port[0], in"));
}

TEST_CASE("links of switches are not compared while a packet may be lost") {
  CHECK(told([](gather_figures& f) {
          ++f.links[0].counted;
          f.nodes[1].failures = 1;
        }).empty());
}

TEST_CASE("links of switches are not compared while others use them") {
  CHECK(told([](gather_figures& f) {
          f.links[0].counted += 256;
          f.bytes_of_others = 2 * 256;
        }).empty());
  CHECK_THAT(told([](gather_figures& f) {
               ++f.nodes[0].link_bytes;
               f.bytes_of_others = 2 * 256;
             }),
             Catch::Contains("245 B on the"));
}

TEST_CASE("no gather is faster than the path of one request") {
  gather_expectation expected = expectation();
  expected.seconds = 3.81e-6;  // 2.4 us of network and 7 times 200 ns of PCIe
  CHECK(broken_law(lawful(), expected).empty());
  expected.seconds = 3.79e-6;
  CHECK_THAT(broken_law(lawful(), expected), Catch::Contains("the path of one request"));
  expected.seconds = 3.81e-6;
  expected.machine.waits = 0.5e-6;
  CHECK_THAT(broken_law(lawful(), expected), Catch::Contains("4.3 us"));
}

TEST_CASE("goodput follows from the requests that a node receives for each property") {
  const gather_figures of = lawful();
  const gather_node_figures& asks = of.nodes[0];
  const double share = goodput_by_law(asks, 64, true, 1);
  CHECK(share == Approx(640.0 / 884));
  CHECK(goodput_by_law(asks, 64, true) == Approx(64 / (64 + 2 * 24.4)));
  const gather_table_row row = table_row_of(asks, 64'000, 50e9, 10e-6);
  CHECK(row.traffic_reduction * row.utilization == Approx(row.speed_up));
  CHECK(row.goodput / row.utilization == Approx(share));
}
