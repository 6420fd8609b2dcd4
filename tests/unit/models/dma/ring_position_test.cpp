// Where in its ring a channel finds its descriptors.
#include <catch2/catch.hpp>

#include "models/dma/ring_position.hpp"
#include "tests/unit/models/dma/dma_bench.hpp"

using namespace heddle;

TEST_CASE("entries follow each other in a ring of any length, also when counts wrap") {
  const std::uint32_t entries = GENERATE(1u, 3u, 5u, 264u, 3328u);
  ring_position next{0xfffffff0, 0};
  for (std::uint32_t i = 0; i < 32; ++i) {
    CHECK(next.number == 0xfffffff0 + i);
    CHECK(next.entry == i % entries);
    next.advance(1, entries);
  }
}

TEST_CASE("descriptors up to a ring behind or ahead of the next one have entries") {
  const ring_position next{1, 3};  // so that those behind it are from before the wrap
  CHECK(next.entry_of(0xfffffffc, 5) == 3);
  CHECK(next.entry_of(0xffffffff, 5) == 1);
  CHECK(next.entry_of(1, 5) == 3);
  CHECK(next.entry_of(2, 5) == 4);
  CHECK(next.entry_of(3, 5) == 0);
  CHECK(next.entry_of(6, 5) == 3);
}

TEST_CASE("a ring that has become shorter than its entry still has one") {
  const ring_position next{100, 200};
  CHECK(next.entry_of(100, 7) == 4);
  CHECK(next.entry_of(0, 7) == 2);
}

TEST_CASE("a channel that is told of a ring begins with entry 0, whatever it has counted") {
  dma_bench bench;
  bool is_done = false;
  bench.at(0, [&] {
    const auto run = [&](std::uint32_t entry, std::uint32_t value, std::uint32_t posted) {
      bench.post(0, entry, word(value, 0x2000 + 4 * std::uint64_t{posted}, 4));
      bench.ring_doorbell(0, posted);
      sc_core::wait(to_sc_time(10 * fs_per_us));
    };
    bench.open(0, 5);
    for (std::uint32_t i = 0; i < 3; ++i) run(i, 10 + i, i + 1);
    bench.open(0, 5);
    for (std::uint32_t i = 0; i < 6; ++i) run(i % 5, 20 + i, i + 4);
    is_done = bench.completed(0) == 9;
  });
  bench.run();
  CHECK(is_done);
  for (std::uint32_t i = 0; i < 9; ++i)
    CHECK(bench.local(0x2004 + 4 * std::uint64_t{i}, 1)[0] == (i < 3 ? 10 + i : 20 + i - 3));
  CHECK(bench.failures().empty());
}
