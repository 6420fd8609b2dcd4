// How a hart runs: limits, cycles of taken branches, accesses in the middle of a block, code that
// changes, watched pages.
#include <catch2/catch.hpp>

#include "tests/unit/models/rv/hart_bench.hpp"

using namespace heddle::rv;
using namespace heddle::rv::assembler;

TEST_CASE("a loop costs what its instructions cost") {
  cycle_costs costs;
  costs[instruction_class::branch] = 2;
  costs.taken = 7;
  hart_bench bench(64, costs);
  bench.hart->set_reg(a0, 10);
  bench.run({addi(a0, a0, -1), b_type(1, a0, zero, -4)});
  CHECK(bench.hart->instructions() == 21);  // and the wfi
  CHECK(bench.hart->cycles() == 10 * (1 + 2) + 9 * 7 + 1);
}

TEST_CASE("run ends with the block that reaches the limit, and goes on there") {
  hart_bench bench(64);
  bench.hart->set_reg(a0, 1000);
  bench.put(hart_bench::code, {addi(a0, a0, -1), b_type(1, a0, zero, -4), wfi});
  CHECK(bench.hart->run(100) == stop_reason::cycles);
  CHECK(bench.hart->cycles() == 100);
  CHECK(bench.hart->reg(a0) == 950);
  CHECK(bench.hart->pc() == hart_bench::code);
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::wait);
  CHECK(bench.hart->reg(a0) == 0);
  CHECK(bench.hart->pc() == hart_bench::code + 12);
}

TEST_CASE("a straight line is cut into blocks that are not too long") {
  hart_bench bench(64);
  bench.put(hart_bench::code, std::vector<word>(1000, addi(a0, a0, 1)));
  CHECK(bench.hart->run(1) == stop_reason::cycles);
  CHECK(bench.hart->reg(a0) == 64);
  CHECK(bench.hart->pc() == hart_bench::code + 256);
}

TEST_CASE("a device sees pc and cycles of the very instruction") {
  hart_bench bench(64);
  bench.stall = 50;
  bench.hart->set_reg(a1, hart_bench::device);
  bench.run({addi(a0, zero, 1), addi(a0, a0, 1), lw(a2, a1, 0), addi(a0, a0, 1)});
  CHECK(bench.pc_of_access == hart_bench::code + 8);
  CHECK(bench.cycles_of_access == 2);
  CHECK(bench.hart->cycles() == 5 + 50);
  CHECK(bench.hart->current_pc() == bench.hart->pc());
}

TEST_CASE("a jump to itself waits for an interrupt") {
  hart_bench bench(64);
  bench.put(hart_bench::code, {addi(a0, zero, 1), idle});
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::wait);
  CHECK(bench.hart->pc() == hart_bench::code + 4);
  CHECK(bench.hart->is_in_idle_loop());
}

TEST_CASE("code that changes is seen after fence.i") {
  for (const bool has_fence : {false, true}) {
    hart_bench bench(64);
    // Runs the word at +0x40 twice, and in between replaces it.
    const word target = addi(a0, a0, 1);
    bench.put(hart_bench::code + 0x40, {target, jalr(zero, ra, 0)});
    bench.poke(hart_bench::data, addi(a0, a0, 100));
    bench.hart->set_reg(a1, hart_bench::data);
    bench.hart->set_reg(a2, hart_bench::code + 0x40);
    bench.run(
        {jal(ra, 0x40), lw(t0, a1, 0), sw(t0, a2, 0), has_fence ? fence_i : fence, jal(ra, 0x30)});
    CHECK(bench.hart->reg(a0) == (has_fence ? 101 : 2));
  }
}

TEST_CASE("fence.i fetches what the stores before it have written, however late they arrive") {
  hart_bench bench(64);
  bench.put(hart_bench::code + 0x40, {addi(a0, a0, 1), jalr(zero, ra, 0)});
  bench.on_fence = [&] {
    CHECK(bench.hart->current_pc() == hart_bench::code + 4);
    CHECK(bench.hart->cycles() == 3);
    bench.poke(hart_bench::code + 0x40, addi(a0, a0, 100));
    bench.hart->pass(50);
  };
  bench.run({jal(ra, 0x40), fence_i, jal(ra, 0x38)});
  CHECK(bench.hart->reg(a0) == 101);
  CHECK(bench.hart->cycles() == 8 + 50);
  CHECK(bench.hart->instructions() == 8);
}

TEST_CASE("stores to a watched page reach the bus, others of the same block do not") {
  hart_bench bench(64);
  bench.hart->set_reg(a1, hart_bench::data);
  bench.hart->set_reg(a2, hart_bench::data + 0x1000);
  bench.run({sw(a1, a1, 0), sw(a2, a2, 0)});
  CHECK(bench.stores == 0);
  bench.hart->watch_stores(hart_bench::data + 0x1004);
  bench.run({sw(a1, a1, 8), sw(a2, a2, 8)});
  CHECK(bench.stores == 1);
  CHECK(bench.peek<std::uint32_t>(hart_bench::data + 0x1008) == 0x80009000);
}

TEST_CASE("code outside direct memory runs too") {
  hart_bench bench(32);
  bench.is_direct = false;
  bench.run({addi(a0, zero, 42)});
  CHECK(bench.hart->reg(a0) == 42);
}

TEST_CASE("one jump may lead here and there") {
  hart_bench bench(64);
  // Calls two functions in turn through one register jump.
  bench.put(hart_bench::code + 0x100, {addi(t0, t0, 1), jalr(zero, ra, 0)});
  bench.put(hart_bench::code + 0x200, {addi(t0, t0, 16), jalr(zero, ra, 0)});
  bench.hart->set_reg(a1, hart_bench::code + 0x100);
  bench.hart->set_reg(a2, hart_bench::code + 0x200);
  bench.hart->set_reg(s0, 6);
  bench.run({jalr(ra, a1, 0), add(t1, a1, zero), add(a1, a2, zero), add(a2, t1, zero),
             addi(s0, s0, -1), b_type(1, s0, zero, -20)});
  CHECK(bench.hart->reg(t0) == 3 * 17);
}

TEST_CASE("a misaligned access to the first page is found out") {
  hart_bench bench(64);
  bench.hart->set_reg(a1, 1);
  CHECK(bench.run({lw(a0, a1, 0)}) == stop_reason::unhandled);
  CHECK(bench.hart->unhandled().cause == trap_cause::load_misaligned);
}
