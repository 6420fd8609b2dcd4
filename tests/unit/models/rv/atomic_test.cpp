// LR/SC and the read-modify-write instructions, in direct memory and on the bus.
#include <catch2/catch.hpp>

#include "tests/unit/models/rv/hart_bench.hpp"

using namespace heddle::rv;
using namespace heddle::rv::assembler;

namespace {

constexpr word lr = 2, sc = 3;

}  // namespace

TEST_CASE("what atomics leave in memory and return") {
  struct row {
    word funct5;
    std::uint64_t memory, operand, after32, after64;
  };
  const std::uint64_t low = 0xfffffff0, top = 0xfffffffffffffff0;
  const row rows[] = {
      {0x01, 5, 7, 7, 7},             // swap
      {0x00, top, 0x20, 0x10, 0x10},  // add
      {0x04, 12, 10, 6, 6},           // xor
      {0x0c, 12, 10, 8, 8},           // and
      {0x08, 12, 10, 14, 14},         // or
      {0x10, top, 3, low, top},       // min
      {0x14, top, 3, 3, 3},           // max
      {0x18, top, 3, 3, 3},           // minu
      {0x1c, top, 3, low, top},       // maxu
  };
  for (const bool is_direct : {true, false}) {
    for (const row& each : rows) {
      hart_bench bench(64);
      bench.is_direct = is_direct;
      bench.poke(hart_bench::data, static_cast<std::uint32_t>(each.memory));
      bench.poke(hart_bench::data + 8, each.memory);
      bench.hart->set_reg(a1, hart_bench::data);
      bench.hart->set_reg(s0, hart_bench::data + 8);
      bench.hart->set_reg(a2, each.operand);
      INFO("funct5 " << each.funct5 << (is_direct ? " direct" : " on the bus"));
      bench.run({amo(each.funct5, 2, a0, a1, a2), amo(each.funct5, 3, t0, s0, a2)});
      CHECK(bench.peek<std::uint64_t>(hart_bench::data) == each.after32);
      CHECK(bench.peek<std::uint64_t>(hart_bench::data + 8) == each.after64);
      CHECK(bench.hart->reg(a0) == each.memory);  // sign-extended
      CHECK(bench.hart->reg(t0) == each.memory);
      CHECK(bench.atomics == (is_direct ? 0 : 2));  // one access each
    }
  }
}

TEST_CASE("a store-conditional needs the reservation of its address") {
  hart_bench bench(64);
  bench.poke(hart_bench::data, std::uint64_t{5});
  bench.hart->set_reg(a1, hart_bench::data);
  bench.hart->set_reg(s0, hart_bench::data + 8);
  bench.hart->set_reg(a2, 9);
  bench.run({amo(sc, 3, t0, a1, a2), amo(lr, 3, a0, a1, 0), amo(sc, 3, t1, s0, a2),
             amo(sc, 3, t2, a1, a2)});
  CHECK(bench.hart->reg(t0) == 1);
  CHECK(bench.hart->reg(a0) == 5);
  CHECK(bench.hart->reg(t1) == 1);
  CHECK(bench.hart->reg(t2) == 1);  // the one before took the reservation away
  CHECK(bench.peek<std::uint64_t>(hart_bench::data) == 5);
}

TEST_CASE("rl waits for what was posted, aq is not posted itself") {
  constexpr word release = 1U << 25, acquire = 1U << 26;
  for (const word order : {0U, release, acquire, acquire | release}) {
    for (const word width : {2U, 3U}) {
      hart_bench bench(64);
      bench.is_direct = false;
      bench.hart->set_reg(a1, hart_bench::data);
      bench.run({amo(1, width, zero, a1, a2) | order});
      INFO("order " << order << " width " << width);
      CHECK(bench.fences == ((order & release) != 0 ? 1 : 0));
      CHECK(bench.posted == ((order & acquire) == 0 ? 1 : 0));
      bench.run({amo(lr, width, t0, a1, zero) | order, amo(sc, width, t0, a1, a2) | order});
      CHECK(bench.fences == ((order & release) != 0 ? 3 : 0));
      CHECK(bench.hart->reg(t0) == 0);
      CHECK(bench.posted == ((order & acquire) == 0 ? 1 : 0));  // a store-conditional answers
    }
  }
}

TEST_CASE("a store-conditional succeeds once") {
  for (const bool is_direct : {true, false}) {
    hart_bench bench(32);
    bench.is_direct = is_direct;
    bench.hart->set_reg(a1, hart_bench::data);
    bench.hart->set_reg(a2, 9);
    bench.run({amo(lr, 2, a0, a1, 0), amo(sc, 2, t0, a1, a2), amo(sc, 2, t1, a1, zero)});
    CHECK(bench.hart->reg(t0) == 0);
    CHECK(bench.hart->reg(t1) == 1);
    CHECK(bench.peek<std::uint32_t>(hart_bench::data) == 9);
  }
}

TEST_CASE("a store-conditional fails when somebody else has written") {
  hart_bench bench(64);
  bench.hart->set_reg(a1, hart_bench::data);
  bench.hart->set_reg(a2, 9);
  bench.run({amo(lr, 3, a0, a1, 0)});
  bench.poke(hart_bench::data, std::uint64_t{1});
  bench.run({amo(sc, 3, t0, a1, a2)});
  CHECK(bench.hart->reg(t0) == 1);
  CHECK(bench.peek<std::uint64_t>(hart_bench::data) == 1);
}
