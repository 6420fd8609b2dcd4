// Gather units together: what is filtered and coalesced, tables of any size, incast, back-pressure.
#include <catch2/catch.hpp>

#include <numeric>

#include "tests/support/statistic_of.hpp"
#include "tests/unit/models/gather/rig_bench.hpp"

using namespace heddle;

namespace {

constexpr fs_t us = fs_per_us;

void check_conservation(rig_bench& b) {
  std::uint64_t issued = 0, served = 0, hits = 0;
  for (int i = 0; i < b.count(); ++i) {
    CHECK(b.counts(i).issued.raw() == b.counts(i).responses.raw());
    issued += b.counts(i).issued.raw();
    served += b.counts(i).served.raw();
  }
  for (const tor* each : b.tors) hits += each->count().hits.raw();
  CHECK(issued == served + hits);
  CHECK(b.failures().empty());
}

std::vector<std::uint32_t> list_of(std::uint32_t first, std::uint32_t count) {
  std::vector<std::uint32_t> list(count);
  std::iota(list.begin(), list.end(), first);
  return list;
}

}  // namespace

// 200 pairs of the same remote index, with so many local ones between the two.
TEMPLATE_TEST_CASE_SIG("an index that comes again is coalesced while it is pending, later filtered",
                       "", ((std::uint32_t distance), distance), 0, 1, 255, 256, 257, 40'000,
                       1'000'000) {
  rig_bench b({});
  std::vector<std::uint32_t> list = {64 + 5};
  for (std::uint32_t i = 0; i < distance; ++i) list.push_back(i % 64);
  list.push_back(64 + 5);
  b.start([&] { b.post(0, {0, list}, 0x800000); });
  b.run();
  REQUIRE(b.completions.size() == 1);
  const rig_counters& count = b.counts(0);
  CHECK(count.issued.raw() == 1);
  CHECK(count.local.raw() == distance);
  // 40,000 cycles are 18 us: the property has come long before.
  CHECK(count.coalesced.raw() == (distance < 40'000 ? 1 : 0));
  CHECK(count.filtered.raw() == (distance < 40'000 ? 0 : 1));
  CHECK(b.has(0, 64 + 5));
  check_conservation(b);
}

TEST_CASE("each step of the ladder leaves out more") {
  rig_bench b({});
  std::vector<std::uint32_t> list;
  for (int again = 0; again < 10; ++again)
    for (std::uint32_t i = 0; i < 60; ++i) list.push_back(64 + i);
  std::vector<std::uint64_t> issued;
  b.start([&] {
    for (const auto& [filters, coalesces] :
         {std::pair{false, false}, {true, false}, {true, true}}) {
      b.set.filters = filters;
      b.set.coalesces = coalesces;
      for (int i = 0; i < 2; ++i) b.prepare(i);
      const std::uint64_t before = b.counts(0).issued.raw();
      b.post(0, {0, list});
      sc_core::wait(to_sc_time(100 * us));
      issued.push_back(b.counts(0).issued.raw() - before);
    }
  });
  b.run();
  REQUIRE(issued.size() == 3);
  CHECK(issued[0] == 600);
  CHECK(issued[1] < 600);
  CHECK(issued[1] > 60);
  CHECK(issued[2] == 60);
  for (std::uint32_t i = 0; i < 60; ++i) CHECK(b.has(0, 64 + i));
  check_conservation(b);
}

TEST_CASE("two units may ask for the same property at once, and both write the same bytes") {
  rig_bench b({});
  b.start([&] {
    b.post(0, {0, list_of(64, 64)});
    b.post(0, {1, list_of(64, 64)}, 0x300000);
  });
  b.run();
  REQUIRE(b.completions.size() == 2);
  CHECK(b.counts(0).issued.raw() + b.counts(0).filtered.raw() == 128);
  CHECK(b.counts(0).issued.raw() > 64);
  for (std::uint32_t i = 64; i < 128; ++i) CHECK(b.has(0, i));
  check_conservation(b);
}

namespace {

struct small_tables {
  std::uint64_t pending, lsq, tx, rx, idx, property;
};

rig_bench_settings with(const small_tables& t) {
  rig_bench_settings set;
  set.configure = [t](rig_parameters& p) {
    p.pending.set(t.pending);
    p.lsq.set(t.lsq);
    p.tx_queue.set(t.tx);
    p.rx_queue.set(t.rx);
    p.idx_buffer.set({t.idx});
    p.property_buffer.set({t.property});
  };
  return set;
}

}  // namespace

TEMPLATE_TEST_CASE_SIG("tables down to one entry gather the same", "",
                       ((int pending, int lsq, int tx, int rx, int idx), pending, lsq, tx, rx, idx),
                       (1, 1, 1, 1, 64), (1, 64, 64, 64, 4096), (256, 1, 64, 64, 4096),
                       (256, 64, 1, 64, 4096), (256, 64, 64, 1, 4096), (256, 64, 64, 64, 64),
                       (2, 3, 5, 7, 128)) {
  rig_bench b(with({pending, lsq, tx, rx, idx, 64}));
  std::vector<std::uint32_t> list = list_of(64, 64);
  for (std::uint32_t i = 0; i < 200; ++i) list.push_back(i * 7 % 128);
  b.start([&] {
    b.post(0, {0, list});
    b.post(1, {3, list_of(0, 64)});
  });
  b.run();
  REQUIRE(b.completions.size() == 2);
  for (std::uint32_t i = 64; i < 128; ++i) CHECK(b.has(0, i));
  for (std::uint32_t i = 0; i < 64; ++i) CHECK(b.has(1, i));
  check_conservation(b);
}

TEST_CASE("a bit of the filter is set once the property is in memory, and not before") {
  rig_bench b({});
  std::vector<std::uint32_t> list;
  for (std::uint32_t i = 0; i < 30'000; ++i) list.push_back(64 + i % 64);
  // Whenever the filter has left something out, the bytes are there.
  b.start([&] {
    b.set.coalesces = false;
    b.post(0, {0, list}, 0x800000);
    bool has_seen = false;
    for (int i = 0; i < 4000; ++i) {
      sc_core::wait(to_sc_time(5 * fs_per_ns));
      for (std::uint32_t at = 64; at < 128; ++at)
        if (b.nodes[0].nic->is_filtered(at)) {
          has_seen = true;
          CHECK(b.has(0, at));
        }
    }
    CHECK(has_seen);
  });
  b.run();
  check_conservation(b);
}

TEST_CASE("nothing but local nonzeros, and none at all") {
  rig_bench b({});
  b.start([&] {
    b.post(0, {0, list_of(0, 64)});
    b.post(1, {0, {}});
  });
  b.run();
  REQUIRE(b.completions.size() == 2);
  CHECK(b.counts(0).local.raw() == 64);
  CHECK(b.counts(0).issued.raw() == 0);
  CHECK(b.counts(1).commands.raw() == 1);
}

TEST_CASE("all nodes want one property: its owner answers each of them") {
  rig_bench_settings set;
  set.hosts = 8;
  rig_bench b(set);
  b.start([&] {
    for (int i = 1; i < 8; ++i) b.post(i, {0, {5}});
  });
  b.run();
  REQUIRE(b.completions.size() == 7);
  CHECK(b.counts(0).served.raw() == 7);
  for (int i = 1; i < 8; ++i) CHECK(b.has(i, 5));
  check_conservation(b);
}

TEST_CASE("a ring of neighbors: nobody is in another one's way, and all take equal times") {
  rig_bench_settings set;
  set.hosts = 8;
  rig_bench b(set);
  b.start([&] {
    for (std::uint32_t i = 0; i < 8; ++i)
      b.post(static_cast<int>(i), {0, list_of((i + 1) % 8 * 64, 64)});
  });
  b.run();
  REQUIRE(b.completions.size() == 8);
  for (std::uint32_t i = 0; i < 8; ++i) {
    const rig_bench::completion& each = b.completions[i];
    CHECK(each.when - b.doorbells[each.node] == b.completions[0].when - b.doorbells[0]);
    CHECK(b.counts(static_cast<int>(i)).served.raw() == 64);
    for (std::uint32_t row = 0; row < 64; ++row)
      CHECK(b.has(static_cast<int>(i), (i + 1) % 8 * 64 + row));
  }
  check_conservation(b);
}

TEST_CASE("one server, queues of one entry and buffers of one packet: nothing is lost") {
  rig_bench_settings set;
  set.racks = 2;
  set.hosts = 2;
  set.uses_switch = true;
  set.link_buffer = 1500;
  set.configure = [](rig_parameters& p) {
    p.units.set(2);
    p.rx_queue.set(1);
    p.property_buffer.set({64});
    p.tx_buffer.set({4096});
  };
  set.configure_tor = [](tor_parameters& p) { p.buffer.set({3000}); };
  rig_bench b(set);
  b.start([&] {
    for (int i = 0; i < 4; ++i) b.post(i, {0, list_of(0, 256)});
  });
  b.run();
  REQUIRE(b.completions.size() == 4);
  for (int i = 0; i < 4; ++i)
    for (std::uint32_t index = 0; index < 256; ++index)
      if (static_cast<int>(index / 64) != i) CHECK(b.has(i, index));
  check_conservation(b);
}

TEST_CASE("what another node of the rack has fetched from outside is in the cache") {
  rig_bench_settings set;
  set.racks = 2;
  set.hosts = 4;
  set.uses_switch = true;
  rig_bench b(set);
  b.start([&] {
    b.post(0, {0, list_of(256, 200)});
    sc_core::wait(to_sc_time(50 * us));
    b.post(1, {0, list_of(256, 200)});
    b.post(2, {0, list_of(256, 100)});
  });
  b.run();
  REQUIRE(b.completions.size() == 3);
  CHECK(b.tors[0]->count().hits.raw() == 300);
  CHECK(b.tors[0]->count().inserts.raw() == 200);
  for (std::uint32_t i = 256; i < 456; ++i) CHECK((b.has(0, i) && b.has(1, i)));
  check_conservation(b);
}

TEST_CASE(
    "where answers do not come by the way of the requests nothing hits, and nothing is wrong") {
  rig_bench_settings set;
  set.racks = 2;
  set.hosts = 4;
  set.uses_switch = true;
  set.spread = spread_key::destination;
  rig_bench b(set);
  b.start([&] {
    // Node 4 answers by the uplink of the requester's number, which differs from its own.
    b.post(1, {0, list_of(256, 60)});
    sc_core::wait(to_sc_time(50 * us));
    b.post(1, {1, list_of(256, 60)}, 0x300000);
    b.post(3, {0, list_of(256, 60)});
  });
  b.run();
  REQUIRE(b.completions.size() == 3);
  CHECK(b.tors[0]->count().hits.raw() == 0);
  for (std::uint32_t i = 256; i < 316; ++i) CHECK((b.has(1, i) && b.has(3, i)));
  check_conservation(b);
}

TEST_CASE("a driver that asks for what nobody has, or of a server, is told") {
  rig_bench b({});
  b.start([&] {
    b.post(0, {0, {64 * 7}});  // there is no node 7
    b.post(0, {20, {64}});     // a server
    sc_core::wait(to_sc_time(20 * us));
    CHECK(b.read32(0, rig_regs::unit_status_offset(0)) == (2U | 2U << 4));
    CHECK(b.read32(0, rig_regs::unit_status_offset(20)) == (2U | 5U << 4));
  });
  b.run();
  CHECK(b.completions.empty());
  CHECK(b.counts(0).failures.raw() == 2);
}

TEST_CASE("a switch splits packets that are longer than its own") {
  rig_bench_settings set;
  set.racks = 2;
  set.hosts = 2;
  set.length = 200;
  set.uses_switch = true;
  set.configure_tor = [](tor_parameters& p) { p.mtu.set({500}); };  // two properties
  rig_bench b(set);
  b.start([&] { b.post(0, {0, list_of(128, 64)}); });
  b.run();
  REQUIRE(b.completions.size() == 1);
  CHECK(b.tors[0]->mtu() == 500);
  CHECK(b.tors[0]->hosts() == 2);
  CHECK(b.counts(0).received_packets.raw() >= 32);
  CHECK(b.counts(2).response_packets.raw() < 32);
  // Nothing passes a rack but through its middle pipes, which put each packet together anew.
  for (std::size_t rack = 0; rack < 2; ++rack) {
    CHECK(b.tors[rack]->count().sent_packets.raw() ==
          statistic_of(*b.leaves[rack], "device_packets"));
    CHECK(b.tors[rack]->count().requests.raw() == 2 * 64);  // there and back
  }
  for (std::uint32_t i = 128; i < 192; ++i) CHECK(b.has(0, i));
  check_conservation(b);
}

TEMPLATE_TEST_CASE_SIG("properties that fit into no packet of a switch pass it as they are", "",
                       ((std::uint32_t length), length), 44, 48, 512) {
  rig_bench_settings set;
  set.racks = 2;
  set.hosts = 2;
  set.length = length;
  set.uses_switch = true;
  set.configure_tor = [](tor_parameters& p) { p.mtu.set({128}); };
  rig_bench b(set);
  b.start([&] { b.post(0, {0, list_of(128, 64)}); });
  b.run();
  REQUIRE(b.completions.size() == 1);
  for (const tor* each : b.tors) CHECK((each->count().packets.raw() > 0) == (length == 44));
  for (std::uint32_t i = 128; i < 192; ++i) CHECK(b.has(0, i));
  check_conservation(b);
}

// A line of the filter has the bits of 512 properties: of 64 neighbors the first look-up goes to
// the NIC's memory, the first bit that is set takes the line from the LLC, and all others find it
// in L1.
TEST_CASE("every access to the filter is counted where it was answered") {
  rig_bench b({});
  b.start([&] { b.post(0, {0, list_of(64, 64)}); });
  b.run();
  const rig_counters& count = b.counts(0);
  REQUIRE(count.issued.raw() == 64);
  CHECK(count.memory_accesses.raw() == 1);
  CHECK(count.llc_hits.raw() == 1);
  CHECK(count.l2_hits.raw() == 0);
  CHECK(count.l1_hits.raw() == 2 * 64 - 2);
}

// Nodes 0 and 2 gather from neighbors of their own, one property and five.
TEST_CASE("with one pending request all others wait for it, and that time is told as such") {
  rig_bench_settings set = with({1, 64, 64, 64, 4096, 64});
  set.hosts = 4;
  rig_bench b(set);
  b.start([&] {
    b.post(0, {0, list_of(64, 1)});
    b.post(2, {0, list_of(192, 5)});
  });
  b.run();
  REQUIRE(b.completions.size() == 2);
  fs_t taken[3] = {};
  for (const auto& each : b.completions)
    taken[each.node] = each.when - b.doorbells[each.node == 0 ? 0 : 1];
  CHECK(b.counts(0).stall_pending.raw() == 0);
  CHECK(static_cast<double>(b.counts(2).stall_pending.raw()) ==
        Approx(static_cast<double>(taken[2] - taken[0])).epsilon(0.02));
  CHECK(b.counts(2).stall_tx.raw() == 0);
  CHECK(b.counts(2).stall_lsq.raw() == 0);
}
