#include <catch2/catch.hpp>

#include "tests/support/packet_endpoint.hpp"
#include "tests/support/test_bench.hpp"

using namespace heddle;

namespace {

// 16 B take 142222 fs.
struct linked_pair : test_bench {
  packet_endpoint& a = add_stimulus<packet_endpoint>("a");
  packet_endpoint& b = add_stimulus<packet_endpoint>("b");

  explicit linked_pair(std::uint64_t buffer = 4096) {
    link(a, "port", b, "port", [&](link_parameters& p) {
      p.rate.set(bandwidth(112'500'000'000));
      p.latency.set({250 * fs_per_ns});
      p.buffer.set({buffer});
    });
  }
};

}  // namespace

TEST_CASE("a packet arrives one latency after it left, its tail a serialization later") {
  linked_pair pair;
  pair.at(1000, [&] { pair.a.send(pair.b.id, 16, 0, 1); });
  pair.run();
  REQUIRE(pair.b.arrivals.size() == 1);
  CHECK(pair.b.arrivals[0].called == 1000);  // told ahead
  CHECK(pair.b.arrivals[0].head == 1000 + 250 * fs_per_ns);
  CHECK(pair.b.arrivals[0].tail == 1000 + 142'222 + 250 * fs_per_ns);
  CHECK(pair.a.departures[0].end == 1000 + 142'222);
  CHECK(pair.a.port.counters().packets.raw() == 1);
  CHECK(pair.a.port.counters().bytes.raw() == 16);
  CHECK(pair.a.port.counters().busy.raw() == 142'222);
  CHECK(pair.a.port.counters().credit_stalls.raw() == 0);
  CHECK(pair.b.port.counters().packets.raw() == 0);
}

TEST_CASE("packets in a row use the wire one after the other") {
  linked_pair pair;
  pair.at(0, [&] {
    for (std::uint32_t i = 0; i < 3; ++i) pair.a.send(pair.b.id, 16, 0, i);
  });
  pair.run();
  REQUIRE(pair.b.arrivals.size() == 3);
  for (fs_t i = 0; i < 3; ++i) {
    CHECK(pair.b.arrivals[i].head == i * 142'222 + 250 * fs_per_ns);
    CHECK(pair.b.arrivals[i].tag == i);
  }
}

TEST_CASE("both directions of a link are independent") {
  linked_pair pair;
  pair.at(0, [&] {
    pair.a.send(pair.b.id, 144, 0, 1);
    pair.b.send(pair.a.id, 144, 1, 2);
  });
  pair.run();
  CHECK(pair.a.arrivals.at(0).tail == 1'280'000 + 250 * fs_per_ns);
  CHECK(pair.b.arrivals.at(0).tail == 1'280'000 + 250 * fs_per_ns);
}

TEST_CASE("a tail that is not there yet stretches the packet on the wire") {
  linked_pair pair;
  packet p;
  p.kind = packet_kind::read_request;
  p.wire_bytes = 16;
  fs_t tail_out = 0;
  pair.at(0, [&] { tail_out = pair.a.port.send(*take_packet() = p, 0, 500'000); });
  pair.run();
  CHECK(tail_out == 500'000);
  CHECK(pair.a.port.free_at() == 142'222);  // the wire idles in between: others may use it
  CHECK(pair.b.arrivals.at(0).head == 250 * fs_per_ns);
  CHECK(pair.b.arrivals.at(0).tail == 500'000 + 250 * fs_per_ns);
  CHECK(pair.a.port.counters().busy.raw() == 142'222);
}

TEST_CASE("a buffer of one packet makes each wait for a round trip") {
  linked_pair pair(16);
  pair.at(0, [&] {
    for (std::uint32_t i = 0; i < 4; ++i) pair.a.send(pair.b.id, 16, 0, i);
  });
  pair.run();
  REQUIRE(pair.a.departures.size() == 4);
  // Sent, there after latency and serialization, credit back after another latency.
  constexpr fs_t round_trip = 142'222 + 2 * 250 * fs_per_ns;
  for (fs_t i = 0; i < 4; ++i) CHECK(pair.a.departures[i].start == i * round_trip);
  CHECK(pair.a.port.counters().credit_stalls.raw() == 3);
}

TEST_CASE("a packet that waits for the credits of several is one that waits") {
  linked_pair pair(64);
  pair.at(0, [&] {
    for (std::uint32_t i = 0; i < 4; ++i) pair.a.send(pair.b.id, 16, 0, i);
    pair.a.send(pair.b.id, 64, 0, 4);
  });
  pair.run();
  REQUIRE(pair.a.departures.size() == 5);
  CHECK(pair.a.departures[4].start == 4 * 142'222 + 2 * 250 * fs_per_ns);
  CHECK(pair.a.port.counters().credit_stalls.raw() == 1);
}

TEST_CASE("waiting for a buffer at the far end is told as waiting for credits") {
  linked_pair pair(16);
  constexpr fs_t ready = 100'000, refused = 200'000, round_trip = 142'222 + 2 * 250 * fs_per_ns;
  packet late;
  late.kind = packet_kind::write_request;
  late.wire_bytes = 16;
  late.source = 7;
  late.explain(cause::start(0, ready));
  pair.at(0, [&] { pair.a.send(pair.b.id, 16, 0, 1); });  // takes the only buffer
  pair.at(refused, [&] { CHECK_FALSE(pair.a.port.has_credits(late, refused)); });
  pair.at(round_trip, [&] {
    REQUIRE(pair.a.port.has_credits(late, round_trip));
    pair.a.port.send(*take_packet() = late, round_trip, 0);
  });
  pair.run();
  const cause why = pair.a.port.latest_start(7);
  CHECK(why.spent(category::queueing, 0) == refused - ready);
  CHECK(why.spent(category::credits, 0) == round_trip - refused);
}

TEST_CASE("credits of one virtual channel do not block another") {
  linked_pair pair(16);
  pair.at(0, [&] {
    pair.a.send(pair.b.id, 16, 0, 1);
    pair.a.send(pair.b.id, 16, 0, 2);
    pair.a.send(pair.b.id, 16, 1, 3);
  });
  pair.run();
  REQUIRE(pair.a.departures.size() == 3);
  CHECK(pair.a.departures[1].tag == 3);
  CHECK(pair.a.departures[1].start == 142'222);
  CHECK(pair.a.departures[2].start == 142'222 + 500 * fs_per_ns);
}

TEST_CASE("credits that are announced out of order are used in the order of their times") {
  linked_pair pair(48);
  packet sent[3];
  fs_t seen[4] = {};
  packet probe;
  probe.wire_bytes = 16;
  pair.b.keeps_buffers = true;
  pair.at(0, [&] {
    for (std::uint32_t i = 0; i < 3; ++i) pair.a.send(pair.b.id, 16, 0, i);
  });
  pair.at(fs_per_us, [&] {
    for (packet& each : sent) each.wire_bytes = 16;
    pair.b.port.release(sent[0], fs_per_us + 300);
    pair.b.port.release(sent[1], fs_per_us + 100);
    pair.b.port.release(sent[2], fs_per_us + 200);
  });
  const fs_t back = fs_per_us + 250 * fs_per_ns;
  for (int i = 0; i < 4; ++i)
    pair.at(back + 99 + 100 * static_cast<fs_t>(i) + (i > 0), [&, i] {
      // How many credits have come: ask for ever larger packets.
      for (probe.wire_bytes = 48; probe.wire_bytes > 0; probe.wire_bytes -= 16)
        if (pair.a.port.has_credits(probe, now_fs())) break;
      seen[i] = probe.wire_bytes;
    });
  pair.run();
  CHECK(seen[0] == 0);
  CHECK(seen[1] == 32);  // at 200: the credits of 100 and 200
  CHECK(seen[2] == 48);
  CHECK(seen[3] == 48);
}

TEST_CASE("hundreds of credits under way come back one by one") {
  linked_pair pair(16 * 300);
  pair.at(0, [&] {
    for (std::uint32_t i = 0; i < 2000; ++i) pair.a.send(pair.b.id, 16, 0, i);
  });
  pair.run();
  REQUIRE(pair.a.departures.size() == 2000);
  constexpr fs_t round_trip = 142'222 + 2 * 250 * fs_per_ns;
  bool is_exact = true;
  for (fs_t i = 0; i < 2000; ++i)
    is_exact = is_exact && pair.a.departures[i].start == i / 300 * round_trip + i % 300 * 142'222;
  CHECK(is_exact);
}

// Four packets of 16 B from `a` to `b`.
static packet& train_of_four(const linked_pair& pair) {
  packet& train = *take_packet();
  train.kind = packet_kind::read_request;
  train.source = pair.a.id;
  train.destination = pair.b.id;
  train.train = 4;
  train.wire_bytes = 64;
  return train;
}

TEST_CASE("trains leave no later than their packets where the far buffer is small") {
  linked_pair pair(16 * 11);
  pair.at(0, [&] {
    for (int i = 0; i < 12; ++i) pair.a.send(train_of_four(pair));
  });
  pair.run();
  // Packet by packet: 48 packets, eleven of them in a round trip.
  constexpr fs_t each = 142'222, round_trip = each + 2 * 250 * fs_per_ns;
  const auto packets = static_cast<double>(4 * round_trip + 4 * each + 250 * fs_per_ns);
  REQUIRE(pair.b.arrivals.size() == 12);
  CHECK(static_cast<double>(pair.b.arrivals.back().tail) == Approx(packets).epsilon(0.03));
}

TEST_CASE("a train whose credits are still to come is as long as they are apart") {
  linked_pair pair(16 * 4);
  pair.at(0, [&] {
    for (std::uint32_t i = 0; i < 2; ++i) pair.a.send(pair.b.id, 16, 0, i);
    pair.a.send(train_of_four(pair));
  });
  pair.run();
  // Two of its packets find room at once, two when the packets before it are through.
  constexpr fs_t each = 142'222, second_back = 2 * each + 2 * 250 * fs_per_ns;
  REQUIRE(pair.a.departures.size() == 3);
  CHECK(pair.a.departures[2].start == 2 * each);
  CHECK(pair.a.departures[2].end == second_back + each);
  CHECK(pair.a.port.counters().credit_stalls.raw() == 1);
}

TEST_CASE("a joined port knows its link") {
  linked_pair pair;
  CHECK(pair.a.port.is_bound());
  CHECK(pair.a.port.peer() == &pair.b.port);
  CHECK(pair.a.port.latency() == 250 * fs_per_ns);
  CHECK(pair.a.port.vcs() == 2);
  CHECK(pair.a.port.buffer_bytes() == 4096);
}

// 144 B take 1'280'000 fs.
TEST_CASE("a wire has been busy up to now, also in the middle of a packet") {
  linked_pair pair;
  const auto busy = [&] {
    const link_record& wire = pair.sim.service<link_directory>().links.at(0);
    REQUIRE(wire.from == &pair.a.port);
    return wire.figures().busy;
  };
  pair.at(1000, [&] { pair.a.send(pair.b.id, 144, 0, 1); });
  pair.at(501'000, [&] { CHECK(busy() == 500'000); });
  pair.at(600'000, [&] { pair.a.port.keep_busy(5'000'000); });  // a slower stage in front of it
  pair.at(601'000, [&] { CHECK(busy() == 600'000); });
  pair.at(602'000, [&] { pair.a.port.keep_busy(6'000'000); });
  pair.at(701'000, [&] { CHECK(busy() == 700'000); });
  pair.at(2'000'000, [&] { CHECK(busy() == 1'280'000); });
  pair.at(6'000'000, [&] { pair.a.send(pair.b.id, 144, 0, 2); });
  pair.at(6'000'100, [&] { CHECK(busy() == 1'280'100); });
  pair.at(8'000'000, [&] { CHECK(busy() == 2 * 1'280'000); });
  pair.run();
}
