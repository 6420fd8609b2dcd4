// The property cache of a rack while packets are under way: requests around the instant at which
// the response is inserted, and invalidations in the middle of gathers.
#include <catch2/catch.hpp>

#include <numeric>

#include "tests/unit/models/gather/rig_bench.hpp"

using namespace heddle;

namespace {

constexpr fs_t us = fs_per_us, ns = fs_per_ns;

rig_bench_settings two_racks() {
  rig_bench_settings set;
  set.racks = 2;
  set.hosts = 4;
  set.rows_per_node = 1024;
  set.uses_switch = true;
  return set;
}

// Node 0 asks for a property of node 4, and so much later node 1 for the same one. Returns the
// hits.
std::uint64_t hits_after(rig_bench& b, std::uint32_t index, fs_t later) {
  const std::uint64_t before = b.tors[0]->count().hits.raw();
  const fs_t start = now_fs();
  b.post(0, {0, {index}}, 0x200000);
  sc_core::wait(to_sc_time(start + 2 * us + later - now_fs()));
  b.post(1, {0, {index}}, 0x210000);
  sc_core::wait(to_sc_time(30 * us));
  CHECK((b.has(0, index) && b.has(1, index)));
  return b.tors[0]->count().hits.raw() - before;
}

}  // namespace

TEST_CASE("a request misses until the response has been inserted, and hits from then on") {
  rig_bench b(two_racks());
  std::uint32_t index = 4 * 1024;
  b.start([&] {
    // From coarse steps to single cycles of the switch around the first hit.
    fs_t first = 0;
    for (const fs_t step : {400 * ns, 20 * ns, ns / 2}) {
      const fs_t from = first;
      bool has_hit = false;
      for (int i = 0; i < 45; ++i) {
        const std::uint64_t hits = hits_after(b, index++, from + static_cast<fs_t>(i) * step);
        CHECK(hits <= 1);
        CHECK((!has_hit || hits == 1));
        if (hits == 0) first = from + static_cast<fs_t>(i) * step;
        has_hit = hits == 1;
      }
      CHECK(has_hit);
    }
  });
  b.run();
  // Each property once: a second response finds it there.
  CHECK(b.tors[0]->count().inserts.raw() == index - 4 * 1024);
  CHECK(b.tors[0]->count().evictions.raw() == 0);
  CHECK(b.counts(4).served.raw() + b.tors[0]->count().hits.raw() == 2 * (index - 4 * 1024));
  CHECK(b.failures().empty());
}

TEST_CASE("invalidations in the middle of gathers lose nothing and leave nothing wrong") {
  rig_bench b(two_racks());
  std::vector<std::uint32_t> list(1024);
  std::iota(list.begin(), list.end(), 4 * 1024);
  const std::uint32_t one = 1;
  b.start([&] {
    for (int i = 0; i < 40; ++i) {
      if (i % 10 == 0) b.post(i / 10, {0, list});
      sc_core::wait(to_sc_time(static_cast<fs_t>(100 + 37 * i) * ns));
      b.controls[0]->write(tor_regs::invalidate_offset, &one, 4);
    }
  });
  b.run();
  REQUIRE(b.completions.size() == 4);
  std::uint64_t issued = 0;
  for (int node = 0; node < 4; ++node) {
    issued += b.counts(node).issued.raw();
    for (const std::uint32_t index : list) CHECK(b.has(node, index));
  }
  const tor_counters& rack = b.tors[0]->count();
  CHECK(issued == b.counts(4).served.raw() + rack.hits.raw());
  CHECK(rack.hits.raw() > 0);
  CHECK(rack.inserts.raw() > 1024);
}
