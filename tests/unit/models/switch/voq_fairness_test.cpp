// Who is served when several want the same output.
#include <catch2/catch.hpp>

#include "models/switch/switch.hpp"
#include "tests/support/packet_endpoint.hpp"
#include "tests/support/test_bench.hpp"

using namespace heddle;

namespace {

constexpr fs_t on_wire = 144'000;  // 144 B at 1 B/ps
constexpr fs_t latency = fs_per_ns;
constexpr fs_t forwarding = 100 * fs_per_ns;

struct small_star : test_bench {
  packet_switch& hub = add<packet_switch>("hub", [](switch_parameters& p) { p.ports.set(4); });
  std::vector<packet_endpoint*> ends;

  explicit small_star(std::uint64_t buffer = 1 << 20) {
    for (int i = 0; i < 4; ++i) {
      ends.push_back(&add_stimulus<packet_endpoint>("end" + std::to_string(i)));
      link(*ends.back(), "port", hub, "port[" + std::to_string(i) + "]", [&](link_parameters& p) {
        p.rate.set(bandwidth(1'000'000'000'000));
        p.latency.set({latency});
        p.buffer.set({buffer});
      });
    }
  }
};

}  // namespace

TEST_CASE("three inputs take turns at an output") {
  small_star star;
  star.at(0, [&] {
    for (std::uint32_t n = 0; n < 5; ++n)
      for (const std::uint32_t from : {0U, 1U, 2U}) star.ends[from]->send(3, 144, 0, from * 10 + n);
  });
  star.run();
  const auto& arrivals = star.ends[3]->arrivals;
  REQUIRE(arrivals.size() == 15);
  for (std::size_t i = 0; i < 15; ++i) {
    INFO(i);
    CHECK(arrivals[i].head == latency + forwarding + latency + i * on_wire);
    CHECK(arrivals[i].tag == i % 3 * 10 + i / 3);
  }
}

TEST_CASE("a stream at line rate on one channel does not starve another channel") {
  small_star star;
  star.at(0, [&] {
    for (std::uint32_t n = 0; n < 200; ++n) star.ends[0]->send(3, 144, 1, n);
  });
  star.at(10 * on_wire + 1000, [&] { star.ends[1]->send(3, 144, 0, 1000); });
  star.run();
  const auto& arrivals = star.ends[3]->arrivals;
  REQUIRE(arrivals.size() == 201);
  std::size_t place = 0;
  while (arrivals[place].tag != 1000) ++place;
  CHECK(place == 11);  // ready while the eleventh leaves, then it is the other channel's turn
}

TEST_CASE("inputs far apart take turns at an output of a switch of 1024 ports") {
  test_bench bench;
  packet_switch& hub =
      bench.add<packet_switch>("hub", [](switch_parameters& p) { p.ports.set(1024); });
  std::vector<packet_endpoint*> ends;
  for (const int port : {0, 63, 64, 700, 1023, 1022}) {
    ends.push_back(&bench.add_stimulus<packet_endpoint>("end" + std::to_string(port)));
    bench.link(*ends.back(), "port", hub, "port[" + std::to_string(port) + "]",
               [](link_parameters& p) {
                 p.rate.set(bandwidth(1'000'000'000'000));
                 p.latency.set({latency});
               });
  }
  constexpr std::uint32_t senders = 5, rounds = 4;
  bench.at(0, [&] {
    for (std::uint32_t n = 0; n < rounds; ++n)
      for (std::uint32_t from = 0; from < senders; ++from)
        ends[from]->send(ends.back()->id, 144, 0, from * 10 + n);
  });
  bench.run();
  const auto& arrivals = ends.back()->arrivals;
  REQUIRE(arrivals.size() == senders * rounds);
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    INFO(i);
    CHECK(arrivals[i].head == latency + forwarding + latency + i * on_wire);
    CHECK(arrivals[i].tag == i % senders * 10 + i / senders);
  }
}
