#include <catch2/catch.hpp>

#include "models/switch/switch.hpp"
#include "tests/support/packet_endpoint.hpp"
#include "tests/support/test_bench.hpp"

using namespace heddle;

namespace {

constexpr fs_t forwarding = 100 * fs_per_ns;

// 1 B/ps and 1 ns unless said otherwise.
struct star : test_bench {
  packet_switch& hub;
  std::vector<packet_endpoint*> ends;

  explicit star(int ports)
      : hub(add<packet_switch>("hub", [ports](switch_parameters& p) {
          p.ports.set(static_cast<std::uint64_t>(ports));
        })) {}

  packet_endpoint& join(std::uint64_t rate = 1'000'000'000'000, fs_t latency = fs_per_ns,
                        std::uint64_t buffer = 1 << 20) {
    const std::string index = std::to_string(ends.size());
    ends.push_back(&add_stimulus<packet_endpoint>("end" + index));
    link(*ends.back(), "port", hub, "port[" + index + "]", [&](link_parameters& p) {
      p.rate.set(bandwidth(rate));
      p.latency.set({latency});
      p.buffer.set({buffer});
    });
    return *ends.back();
  }
};

}  // namespace

TEST_CASE("an idle switch adds its forwarding time") {
  star s(2);
  packet_endpoint& from = s.join(1'000'000'000'000, 3 * fs_per_ns);
  packet_endpoint& to = s.join(1'000'000'000'000, 5 * fs_per_ns);
  s.at(fs_per_us, [&] { from.send(to.id, 144, 0, 1); });
  s.run();
  REQUIRE(to.arrivals.size() == 1);
  const fs_t head = fs_per_us + 3 * fs_per_ns + forwarding + 5 * fs_per_ns;
  CHECK(to.arrivals[0].head == head);
  CHECK(to.arrivals[0].tail == head + 144'000);
  const auto& all = s.hub.statistics()->all();
  CHECK(all[0]->raw() == 1);  // packets
  CHECK(all[1]->raw() == 0);  // queued
  CHECK(all[2]->raw() == 0);  // wait
}

TEST_CASE("cut-through into a slower link stretches the packet") {
  star s(2);
  packet_endpoint& from = s.join();
  packet_endpoint& to = s.join(250'000'000'000);
  s.at(0, [&] { from.send(to.id, 144, 0, 1); });
  s.run();
  CHECK(to.arrivals.at(0).head == 2 * fs_per_ns + forwarding);
  CHECK(to.arrivals.at(0).tail == 2 * fs_per_ns + forwarding + 4 * 144'000);
}

TEST_CASE("cut-through into a faster link cannot end before the last byte came") {
  star s(2);
  packet_endpoint& from = s.join(250'000'000'000);
  packet_endpoint& to = s.join();
  s.at(0, [&] { from.send(to.id, 144, 0, 1); });
  s.run();
  CHECK(to.arrivals.at(0).head == 2 * fs_per_ns + forwarding);
  CHECK(to.arrivals.at(0).tail == 2 * fs_per_ns + forwarding + 4 * 144'000);
}

TEST_CASE("what comes slower than the wire takes it leaves gaps for other virtual channels") {
  star s(3);
  packet_endpoint& slow = s.join(250'000'000'000);
  packet_endpoint& fast = s.join();
  packet_endpoint& to = s.join();
  s.at(0, [&] { slow.send(to.id, 144, 0, 1); });
  s.at(100'000, [&] {
    fast.send(to.id, 144, 0, 2);
    fast.send(to.id, 144, 1, 3);
  });
  s.run();
  REQUIRE(to.arrivals.size() == 3);
  const fs_t first = 2 * fs_per_ns + forwarding;
  CHECK(to.arrivals[0].head == first);
  CHECK(to.arrivals[0].tail == first + 4 * 144'000);
  CHECK(to.arrivals[1].tag == 3);
  CHECK(to.arrivals[1].head == first + 244'000);  // when its own wire had carried the other
  CHECK(to.arrivals[1].tail == first + 388'000);
  CHECK(to.arrivals[2].tag == 2);
  CHECK(to.arrivals[2].head == first + 4 * 144'000);
}

TEST_CASE("a packet that waits is whole when it leaves, at the speed of the faster link") {
  star s(3);
  packet_endpoint& slow = s.join(250'000'000'000);
  packet_endpoint& fast = s.join();
  packet_endpoint& to = s.join();
  s.at(0, [&] {
    fast.send(to.id, 1440, 0, 1);
    slow.send(to.id, 144, 0, 2);
  });
  s.run();
  REQUIRE(to.arrivals.size() == 2);
  const fs_t first = 2 * fs_per_ns + forwarding;
  CHECK(to.arrivals[0].tail == first + 1'440'000);
  CHECK(to.arrivals[1].head == first + 1'440'000);
  CHECK(to.arrivals[1].tail == first + 1'440'000 + 144'000);
  CHECK(s.hub.statistics()->all()[1]->raw() == 1);          // queued
  CHECK(s.hub.statistics()->all()[2]->raw() == 1'440'000);  // wait
}

// Each packet of a train waits as long as the others.
TEMPLATE_TEST_CASE_SIG("what packets wait for at a switch counts them all, in trains, too", "",
                       ((std::uint32_t packets), packets), 1, 4) {
  star s(4);
  std::vector<packet_endpoint*> from;
  for (int i = 0; i < 3; ++i) from.push_back(&s.join());
  packet_endpoint& to = s.join();
  s.at(0, [&] {
    for (packet_endpoint* each : from) {
      packet& p = *take_packet();
      p.kind = packet_kind::read_request;
      p.source = each->id;
      p.destination = to.id;
      p.train = static_cast<std::uint16_t>(packets);
      p.wire_bytes = 144 * packets;
      each->send(p);
    }
  });
  s.run();
  REQUIRE(to.arrivals.size() == 3);
  const fs_t train = packets * 144'000;
  const auto& all = s.hub.statistics()->all();
  CHECK(all[0]->raw() == 3 * packets);                // packets
  CHECK(all[1]->raw() == 2 * packets);                // queued
  CHECK(all[2]->raw() == packets * (1 + 2) * train);  // wait
  CHECK(all[3]->raw() == 2 * packets);                // peak_queue
}

TEST_CASE("the buffer behind a switch fills and packets wait for the credits") {
  star s(2);
  packet_endpoint& from = s.join();
  packet_endpoint& to = s.join(1'000'000'000'000, fs_per_ns, 288);  // two packets
  to.keeps_buffers = true;
  s.at(0, [&] {
    for (std::uint32_t i = 0; i < 4; ++i) from.send(to.id, 144, 0, i);
  });
  s.at(fs_per_us, [&] { to.release_all(); });
  s.run();
  REQUIRE(to.arrivals.size() == 4);
  const fs_t first = 2 * fs_per_ns + forwarding;
  CHECK(to.arrivals[0].head == first);
  CHECK(to.arrivals[1].head == first + 144'000);
  CHECK(to.arrivals[2].head == fs_per_us + 2 * fs_per_ns);  // credit back, packet there
  CHECK(to.arrivals[3].head == fs_per_us + 2 * fs_per_ns + 144'000);
}

TEST_CASE("the switch frees its own buffer when the last byte has left") {
  star s(2);
  packet_endpoint& from = s.join(1'000'000'000'000, fs_per_ns, 144);  // one packet
  packet_endpoint& to = s.join();
  s.at(0, [&] {
    from.send(to.id, 144, 0, 1);
    from.send(to.id, 144, 0, 2);
  });
  s.run();
  REQUIRE(from.departures.size() == 2);
  CHECK(from.departures[1].start == fs_per_ns + forwarding + 144'000 + fs_per_ns);
}

TEST_CASE("a blocked response channel does not hold up requests") {
  star s(2);
  packet_endpoint& from = s.join();
  packet_endpoint& to = s.join(1'000'000'000'000, fs_per_ns, 144);
  to.keeps_buffers = true;
  s.at(0, [&] {
    from.send(to.id, 144, 1, 1);
    from.send(to.id, 144, 1, 2);
  });
  s.at(fs_per_ns, [&] { from.send(to.id, 144, 0, 3); });
  s.run();
  REQUIRE(to.arrivals.size() == 2);  // the second response never gets a credit
  CHECK(to.arrivals[0].tag == 1);
  CHECK(to.arrivals[1].tag == 3);
  CHECK(to.arrivals[1].head == 3 * fs_per_ns + forwarding);
  CHECK(static_cast<const unit&>(s.hub).waiting_for() == "1 packet for end1.port");
}

TEST_CASE("sixty-four ports shift by one without disturbing each other") {
  star s(64);
  for (int i = 0; i < 64; ++i) s.join();
  s.at(0, [&] {
    for (std::size_t i = 0; i < 64; ++i)
      for (std::uint32_t n = 0; n < 3; ++n) s.ends[i]->send(s.ends[(i + 1) % 64]->id, 144, 0, n);
  });
  s.run();
  bool is_exact = true;
  for (const packet_endpoint* each : s.ends) {
    is_exact = is_exact && each->arrivals.size() == 3;
    for (std::size_t n = 0; is_exact && n < 3; ++n)
      is_exact = each->arrivals[n].head == 2 * fs_per_ns + forwarding + n * 144'000;
  }
  CHECK(is_exact);
}

TEST_CASE("all of sixty-four ports to one are served in turn without a gap") {
  star s(64);
  for (int i = 0; i < 64; ++i) s.join();
  s.at(0, [&] {
    for (std::size_t i = 1; i < 64; ++i) {
      s.ends[i]->send(0, 144, 0, static_cast<std::uint32_t>(i));
      s.ends[i]->send(0, 144, 0, static_cast<std::uint32_t>(i));
    }
  });
  s.run();
  const auto& arrivals = s.ends[0]->arrivals;
  REQUIRE(arrivals.size() == 126);
  bool is_exact = true;
  for (std::size_t i = 0; i < 126; ++i)
    is_exact = is_exact && arrivals[i].head == 2 * fs_per_ns + forwarding + i * 144'000 &&
               arrivals[i].tag == 1 + i % 63;
  CHECK(is_exact);
}
