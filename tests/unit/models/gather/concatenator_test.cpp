// The concatenator by itself, to the femtosecond: a clock of 1 ns, a delay of 10 cycles, packets of
// at most 1500 B.
#include "transactors/gather/concatenator.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <stdexcept>

#include "tests/support/test_bench.hpp"
#include "transactors/gather/gather_packet.hpp"

using namespace heddle;

namespace {

constexpr fs_t cycle = fs_per_ns;
constexpr std::uint64_t delay = 10;
constexpr std::uint32_t length = 64;  // of a property: K = 16

struct emitted_packet {
  fs_t when;
  std::uint32_t bytes, count, node;
  gather_type type;
  std::vector<std::uint64_t> indices;
};

struct tested_concatenator final : concatenator::listener {
  explicit tested_concatenator(std::uint64_t cycles = delay, std::uint32_t pool = 0,
                               bool is_enabled = true)
      : tested(*this, settings(cycles, pool, is_enabled)) {}

  static concatenator_settings settings(std::uint64_t cycles, std::uint32_t pool, bool is_enabled) {
    concatenator_settings s;
    s.cycle = cycle;
    s.delay = cycles;
    s.queues = 512;
    s.pool = pool;
    s.is_enabled = is_enabled;
    return s;
  }

  // A request for the property of that number, of node `to`.
  void read(std::uint64_t index, std::uint32_t to = 0) { push(gather_request, index, to, nullptr); }
  void answer(std::uint64_t index, std::uint32_t to = 0) {
    const std::vector<std::byte> bytes(length, std::byte{7});
    push(gather_response, index, to, bytes.data());
  }
  void push(packet_kind kind, std::uint64_t index, std::uint32_t to, const std::byte* bytes) {
    gather_flow flow;
    flow.queue = 2 * to + (kind == gather_response ? 1 : 0);
    flow.node = to;
    flow.kind = kind;
    property_request pr;
    pr.index = index;
    accepted.push_back(tested.push(flow, pr, bytes, length, now_fs()));
  }

  void emitted(packet& p, std::uint16_t) override {
    const gather_view view(p);
    CHECK(p.wire_bytes == view.wire_bytes());
    CHECK(p.payload_bytes == p.wire_bytes - 50);
    emitted_packet seen{now_fs(),           p.wire_bytes,       view.count(),
                        view.header().node, view.header().type, {}};
    for (std::uint32_t i = 0; i < view.count(); ++i) {
      seen.indices.push_back(view.request(i).index);
      if (view.header().is_response()) CHECK(view.property(i)[0] == std::byte{7});
    }
    packets.push_back(std::move(seen));
    give_back(&p);
  }

  concatenator tested;
  std::vector<emitted_packet> packets;
  std::vector<fs_t> accepted;
};

// One alone in its simulation.
struct concatenator_bench final : test_bench {
  explicit concatenator_bench(std::uint64_t cycles = delay, std::uint32_t pool = 0,
                              bool is_enabled = true)
      : one(cycles, pool, is_enabled), tested(one.tested), packets(one.packets) {
    agenda::instance();
  }
  void read(std::uint64_t index, std::uint32_t to = 0) { one.read(index, to); }
  void answer(std::uint64_t index, std::uint32_t to = 0) { one.answer(index, to); }

  tested_concatenator one;
  concatenator& tested;
  const std::vector<emitted_packet>& packets;
};

using indices = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("a lone request waits for the delay and travels in a packet of 82 B") {
  concatenator_bench b;
  b.at(3 * cycle, [&] { b.read(5); });
  b.run();
  REQUIRE(b.packets.size() == 1);
  CHECK(b.packets[0].when == 13 * cycle);
  CHECK(b.packets[0].bytes == 64 + 18);
  CHECK(b.packets[0].type == gather_type::read);
  CHECK(b.tested.empty());
}

TEST_CASE("without concatenation a request leaves at once, in 78 B, and a response in 78 B + 4K") {
  concatenator_bench b(delay, 0, false);
  b.at(3 * cycle, [&] { b.read(5); });
  b.at(20 * cycle, [&] { b.answer(6); });
  b.run();
  REQUIRE(b.packets.size() == 2);
  CHECK(b.packets[0].when == 3 * cycle);
  CHECK(b.packets[0].bytes == 78);
  CHECK(b.packets[0].type == gather_type::lone_read);
  CHECK(b.packets[1].bytes == 78 + length);
}

TEMPLATE_TEST_CASE_SIG(
    "requests one cycle before the deadline share the packet, at the deadline they do not", "",
    ((int gap), gap), 9, 10, 11) {
  concatenator_bench b;
  b.at(0, [&] { b.read(1); });
  b.at(static_cast<fs_t>(gap) * cycle, [&] { b.read(2); });
  b.run();
  CAPTURE(gap);
  if (gap < 10) {
    REQUIRE(b.packets.size() == 1);
    CHECK(b.packets[0].when == 10 * cycle);
    CHECK(b.packets[0].bytes == 64 + 2 * 18);
    CHECK(b.packets[0].indices == indices{1, 2});
  } else {
    REQUIRE(b.packets.size() == 2);
    CHECK(b.packets[0].when == 10 * cycle);
    CHECK(b.packets[1].when == static_cast<fs_t>(gap + 10) * cycle);
  }
}

TEST_CASE("a packet is full when no further request fits into the MTU") {
  concatenator_bench b(50'000);
  b.at(0, [&] {
    for (std::uint64_t i = 0; i < 79; ++i) b.read(i);
  });
  b.at(1000 * cycle, [&] {
    for (std::uint64_t i = 0; i < 17; ++i) b.answer(i);
  });
  b.run();
  REQUIRE(b.packets.size() == 2);
  CHECK(b.packets[0].bytes == 64 + 79 * 18);
  CHECK(b.packets[0].when == 78 * cycle);  // one request is accepted in a cycle
  CHECK(b.packets[1].bytes == 64 + 17 * (18 + length));
  CHECK(b.packets[1].when == (1000 + 16) * cycle);
}

TEST_CASE("a queue that becomes full in the cycle in which it expires is emitted once") {
  concatenator_bench b(78);
  b.at(0, [&] {
    for (std::uint64_t i = 0; i < 80; ++i) b.read(i);
  });
  b.run();
  // Request 78 is accepted at the deadline: it finds the queue emitted.
  REQUIRE(b.packets.size() == 2);
  CHECK(b.packets[0].count == 78);
  CHECK(b.packets[0].when == 78 * cycle);
  CHECK(b.packets[1].count == 2);
  CHECK(b.packets[1].when == (78 + 78) * cycle);
}

TEST_CASE("an entry that was cleared leaves those behind it their deadlines") {
  concatenator_bench b(200);
  b.at(0, [&] {
    for (std::uint64_t i = 0; i < 79; ++i) b.read(i, 0);  // full at once
    b.read(100, 1);
    b.read(101, 0);
  });
  b.run();
  REQUIRE(b.packets.size() == 3);
  CHECK(b.packets[0].count == 79);
  CHECK(b.packets[1].when == (79 + 200) * cycle);
  CHECK(b.packets[1].node == 1);
  CHECK(b.packets[2].when == (79 + 200 + 2) * cycle);  // 82 B leave in two cycles
  CHECK(b.packets[2].indices == indices{101});
}

TEST_CASE("254 queues wait at once, and each is emitted at its own deadline") {
  concatenator_bench b(300);
  b.at(0, [&] {
    for (std::uint32_t to = 0; to < 127; ++to) {
      b.read(to, to);
      b.answer(to, to);
    }
  });
  b.run();
  REQUIRE(b.packets.size() == 254);
  for (std::size_t i = 0; i < 254; ++i) {
    // 82 B and 146 B take 2 and 3 cycles of 64 B: the output is slower than the deadlines.
    CHECK(b.packets[i].when >= (300 + i) * cycle);
    CHECK(b.packets[i].count == 1);
  }
}

TEST_CASE("without a delay nothing is shared") {
  concatenator_bench b(0);
  b.at(0, [&] {
    b.read(1);
    b.read(2);
    b.read(3);
  });
  b.run();
  REQUIRE(b.packets.size() == 3);
  for (const emitted_packet& each : b.packets) CHECK(each.count == 1);
  CHECK(b.packets[0].when == 0);
}

TEST_CASE("physical queues of 128 B are shared: without one the oldest packet goes") {
  concatenator_bench b(1000, 2);  // two queues of 7 requests each
  b.at(0, [&] {
    for (std::uint64_t i = 0; i < 7; ++i) b.read(i, 0);
    b.read(10, 1);
    b.read(11, 2);  // takes the queue of node 0
    b.read(12, 2);
  });
  b.run();
  REQUIRE(b.packets.size() == 3);
  CHECK(b.packets[0].node == 0);
  CHECK(b.packets[0].count == 7);
  CHECK(b.packets[0].when == 8 * cycle);
  CHECK(b.packets[1].when == (7 + 1000) * cycle);
  CHECK(b.packets[2].indices == indices{11, 12});
}

TEMPLATE_TEST_CASE_SIG("whatever the pool, every request leaves once, in order for its node", "",
                       ((std::uint32_t pool), pool), 1, 2, 3, 17, 4096, 0) {
  test_bench bench;
  agenda::instance();
  std::vector<std::unique_ptr<tested_concatenator>> all;
  for (const std::uint64_t wait : {0, 1, 60, 50'000})
    all.push_back(std::make_unique<tested_concatenator>(wait, pool));
  std::uint64_t sent = 0;
  bench.thread([&] {
    std::uint32_t random = 1;
    for (; sent < 500; ++sent) {
      random = random * 1664525 + 1013904223;
      const std::uint32_t to = random >> 20 & 7;
      for (const auto& each : all) {
        if (random >> 28 & 1)
          each->answer(sent, to);
        else
          each->read(sent, to);
      }
      sc_core::wait(to_sc_time((random >> 10 & 3) * cycle));
    }
  });
  bench.run();
  for (const auto& each : all) {
    CAPTURE(pool, each->tested.settings().delay);
    std::vector<bool> seen(sent);
    std::map<std::pair<std::uint32_t, gather_type>, std::uint64_t> latest;
    for (const emitted_packet& emitted : each->packets) {
      CHECK(emitted.bytes <= 1500);
      for (const std::uint64_t index : emitted.indices) {
        CHECK_FALSE(seen[index]);
        seen[index] = true;
        std::uint64_t& before = latest[{emitted.node, emitted.type}];
        CHECK(index >= before);
        before = index;
      }
    }
    CHECK(std::count(seen.begin(), seen.end(), true) == static_cast<std::ptrdiff_t>(sent));
    CHECK(each->tested.empty());
  }
}

TEST_CASE("a response fills a packet, a longer one is no packet's") {
  concatenator_bench b;
  const std::vector<std::byte> bytes(1419, std::byte{7});
  gather_flow flow;
  flow.kind = gather_response;
  b.at(0, [&] {
    b.tested.push(flow, {}, bytes.data(), 1418, now_fs());
    CHECK_THROWS_AS(b.tested.push(flow, {}, bytes.data(), 1419, now_fs()), std::logic_error);
  });
  b.run();
  REQUIRE(b.packets.size() == 1);
  CHECK(b.packets[0].bytes == 1500);
  CHECK(b.tested.empty());
}

TEST_CASE("a pool holds the longest property request of a packet") {
  concatenator_settings set;
  const auto check = [&](std::uint32_t mtu, std::uint32_t pool) {
    set.mtu = mtu;
    set.pool = pool;
    concatenator::check(set, "nic");
  };
  CHECK_THROWS_WITH(check(1500, 11),
                    Catch::Contains("nic: a pool of 11 queues of 128 B does not hold") &&
                        Catch::Contains("of a packet of 1500 B: 12 are the least"));
  CHECK_NOTHROW(check(1500, 12));
  CHECK_NOTHROW(check(1500, 0));
  CHECK_NOTHROW(check(128, 1));
  CHECK_THROWS(check(65536, 511));
  CHECK_NOTHROW(check(65536, 512));
}
