// The tables of a NIC: pending requests, and the caches before its filter.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "models/nic/rig/nic_cache.hpp"
#include "models/nic/rig/pending_table.hpp"

using namespace heddle;

TEST_CASE("the table of pending requests finds by index and by slot until it is full") {
  const auto slots = GENERATE(1U, 2U, 7U, 256U);
  pending_table table(slots);
  std::vector<std::uint32_t> taken;
  for (std::uint64_t i = 0; i < slots; ++i) {
    CHECK_FALSE(table.full());
    taken.push_back(table.insert(1000 * i));
  }
  CHECK(table.full());
  for (std::uint64_t i = 0; i < slots; ++i) {
    CHECK(table.holds(1000 * i));
    CHECK(table.is(taken[i], 1000 * i));
    table.remove(taken[i], 1000 * i);
    CHECK_FALSE(table.holds(1000 * i));
    CHECK_FALSE(table.is(taken[i], 1000 * i));
  }
  CHECK(table.empty());
}

TEST_CASE("without coalescing an index may be pending twice") {
  pending_table table(4);
  const std::uint32_t first = table.insert(9), second = table.insert(9);
  table.remove(first, 9);
  CHECK(table.holds(9));
  table.remove(second, 9);
  CHECK_FALSE(table.holds(9));
}

TEST_CASE("the table of pending requests knows what a list of them does, at any size") {
  const auto slots = GENERATE(1U, 2U, 5U, 64U, 256U, 65536U);
  const auto indices = GENERATE(3U, 100U, 1U << 20);  // few: many are pending twice
  pending_table table(slots);
  std::vector<std::pair<std::uint32_t, std::uint64_t>> pending;
  std::mt19937 random(slots + indices);
  for (int step = 0; step < 4000; ++step) {
    const std::uint64_t index = random() % indices * 0x10001;
    const bool is_pending = std::any_of(pending.begin(), pending.end(),
                                        [&](const auto& each) { return each.second == index; });
    REQUIRE(table.holds(index) == is_pending);
    REQUIRE(table.size() == pending.size());
    if (!table.full() && random() % 8 < 5) {
      pending.emplace_back(table.insert(index), index);
      REQUIRE(table.is(pending.back().first, index));
    } else if (!pending.empty()) {
      const std::size_t one = random() % pending.size();
      const auto [slot, gone] = pending[one];
      table.remove(slot, gone);
      REQUIRE_FALSE(table.is(slot, gone));
      pending[one] = pending.back();
      pending.pop_back();
    }
    for (const auto& [slot, kept] : pending)
      if (step % 64 == 0) REQUIRE(table.is(slot, kept));
  }
}

namespace {

nic_cache_settings settings() {
  nic_cache_settings s;
  s.pairs = 2;
  s.cycle = 1000;
  s.dram_latency = 80'000;
  s.dram_rate = bandwidth(64'000'000'000'000);  // 64 B in 1000 fs
  return s;
}

}  // namespace

TEST_CASE("loads of the filter take 4, 14 or 40 cycles, or go to the memory of the NIC") {
  nic_cache cache(settings());
  CHECK(cache.load(0, 5, 0) == 40'000 + 1000 + 80'000);
  CHECK(cache.load(0, 5, 0) == 4000);
  CHECK(cache.load(1, 5, 200'000) == 40'000);  // the other pair has it from the LLC
  // 64 sets of 8 ways: 8 more lines of its set push it out of L1, not out of L2.
  for (std::uint64_t i = 1; i <= 8; ++i) cache.load(0, 5 + 64 * i, 1'000'000 * i);
  CHECK(cache.load(0, 5, 20'000'000) == 14'000);
  CHECK(cache.counts().dram == 1 + 8);
  CHECK(cache.counts().l1_hits == 1);
  CHECK(cache.counts().llc_hits == 1);
  CHECK(cache.counts().l2_hits == 1);
}

TEST_CASE("the memory of the NIC serves one line after the other") {
  nic_cache cache(settings());
  CHECK(cache.load(0, 1, 0) == 121'000);
  CHECK(cache.load(0, 2, 0) == 122'000);
}

TEST_CASE("a store takes the line for itself: copies of others are invalidated") {
  nic_cache cache(settings());
  cache.load(0, 5, 0);
  cache.load(1, 5, 200'000);
  CHECK(cache.store(0, 5, 400'000) == 80'000);  // LLC, and one invalidation
  CHECK(cache.store(0, 5, 500'000) == 4000);    // it owns the line
  CHECK(cache.load(1, 5, 600'000) == 80'000);   // LLC, and the owner gives it up
  CHECK(cache.counts().invalidations == 2);
  CHECK(cache.store(0, 5, 700'000) == 80'000);
}
