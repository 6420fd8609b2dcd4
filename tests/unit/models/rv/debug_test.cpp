// Breakpoints, watched accesses and single steps, which change neither results nor cycles.
#include <catch2/catch.hpp>

#include "tests/unit/models/rv/hart_bench.hpp"

using namespace heddle::rv;
using namespace heddle::rv::assembler;

namespace {

constexpr std::uint64_t code = hart_bench::code, data = hart_bench::data;

// Counts a0 down, a1 up: two instructions and a branch a round.
const std::vector<word> loop = {addi(a0, a0, -1), addi(a1, a1, 1), b_type(1, a0, zero, -8), wfi};

}  // namespace

TEST_CASE("a breakpoint stops before its instruction, each time") {
  hart_bench bench(64);
  bench.hart->set_reg(a0, 3);
  bench.put(code, loop);
  bench.hart->set_breakpoints({code + 4});
  for (unsigned round = 0; round < 3; ++round) {
    CHECK(bench.hart->run(UINT64_MAX) == stop_reason::breakpoint);
    CHECK(bench.hart->pc() == code + 4);
    CHECK(bench.hart->reg(a0) == 2 - round);
    CHECK(bench.hart->reg(a1) == round);
  }
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::wait);
  CHECK(bench.hart->reg(a1) == 3);
}

TEST_CASE("a breakpoint holds in code that has run before, and goes without a trace") {
  hart_bench bench(64);
  bench.hart->set_reg(a0, 1000);
  bench.put(code, loop);
  CHECK(bench.hart->run(100) == stop_reason::cycles);
  bench.hart->set_breakpoints({code + 8});
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::breakpoint);
  CHECK(bench.hart->pc() == code + 8);
  bench.hart->set_breakpoints({});
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::wait);
  CHECK(bench.hart->instructions() == 3001);
  CHECK(bench.peek<word>(code + 8) == loop[2]);
}

TEST_CASE("a watched range may end where addresses end") {
  hart_bench bench(64);
  bench.put(code, {load(3, a1, zero, -8)});  // ld a1, -8(zero)
  bench.hart->set_watches({{UINT64_MAX - 3, 4, true, false}});
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::watch);
  CHECK(bench.hart->last_watch_hit().address == UINT64_MAX - 3);
  bench.hart->set_watches({{UINT64_MAX - 11, 4, true, true}, {UINT64_MAX - 3, 4, false, true}});
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::unhandled);  // nobody answers there
}

TEST_CASE("one instruction after the other") {
  hart_bench bench(32);
  bench.hart->set_reg(a0, 2);
  bench.put(code, loop);
  bench.hart->set_breakpoints({code + 4});
  const std::uint64_t path[] = {4, 8, 0, 4, 8, 12};
  for (const std::uint64_t offset : path) {
    bench.hart->stop_after_one();
    CHECK(bench.hart->run(UINT64_MAX) == stop_reason::step);
    CHECK(bench.hart->pc() == code + offset);
  }
  CHECK(bench.hart->instructions() == 6);
}

TEST_CASE("a step into a trap stops at the handler") {
  hart_bench bench(64);
  bench.put(code, {csrw(0x305, a0), lw(a1, zero, 0)});
  bench.hart->set_reg(a0, hart_bench::handler);
  bench.hart->stop_after_one();
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::step);
  bench.hart->stop_after_one();
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::step);
  CHECK(bench.hart->pc() == hart_bench::handler);
}

TEST_CASE("a hart that is stopped while fence.i waits stops behind it, where its block ends") {
  const bool is_step = GENERATE(false, true);
  hart_bench bench(64);
  bench.put(code, {addi(a1, a1, 0), fence_i, lw(a2, a1, 0), addi(a0, zero, 1), wfi});
  bench.hart->set_reg(a1, hart_bench::device);
  bench.on_fence = [&] {
    if (is_step) return bench.hart->stop_after_one();
    bench.hart->refetch();
  };
  CHECK(bench.hart->run(2) == (is_step ? stop_reason::step : stop_reason::cycles));
  CHECK(bench.hart->pc() == code + 8);
  CHECK(bench.hart->instructions() == 2);
  CHECK(bench.hart->is_due());
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::wait);
  CHECK(bench.hart->reg(a0) == 1);
  CHECK(bench.hart->instructions() == 5);
}

TEST_CASE("a step over WFI ends behind it") {
  hart_bench bench(64);
  bench.put(code, {wfi, addi(a0, zero, 1)});
  bench.hart->stop_after_one();
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::step);
  CHECK(bench.hart->pc() == code + 4);
  bench.hart->stop_after_one();
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::step);
  CHECK(bench.hart->reg(a0) == 1);
}

TEST_CASE("a step that an interrupt takes the place of ends before its handler") {
  hart_bench bench(64);
  bench.put(code, {csrw(0x305, a0), csrw(0x304, a1), csrw(0x300, a1), addi(a2, zero, 1)});
  bench.hart->set_reg(a0, hart_bench::handler);
  bench.hart->set_reg(a1, 8);  // MSIE, and MIE of mstatus
  for (int i = 0; i < 3; ++i) {
    bench.hart->stop_after_one();
    CHECK(bench.hart->run(UINT64_MAX) == stop_reason::step);
  }
  bench.hart->set_pending(interrupt::software, true);
  bench.hart->stop_after_one();
  REQUIRE(bench.hart->take_interrupt());
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::step);
  CHECK(bench.hart->pc() == hart_bench::handler);
  CHECK(bench.hart->instructions() == 3);
}

TEST_CASE("a watched word stops before the access, in direct memory too") {
  const bool is_direct = GENERATE(true, false);
  hart_bench bench(64);
  bench.is_direct = is_direct;
  bench.hart->set_reg(a1, data);
  bench.put(code, {sw(a0, a1, 0), sw(a0, a1, 4), lw(a2, a1, 4), s_type(0, a1, a0, 7), sw(a0, a1, 8),
                   wfi});
  bench.hart->run(1);  // the page is known
  bench.hart->set_pc(code);
  bench.hart->set_reg(a0, 9);
  bench.hart->set_watches({{data + 4, 4, false, true}});
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::watch);
  CHECK(bench.hart->pc() == code + 4);
  CHECK(bench.hart->last_watch_hit().address == data + 4);
  CHECK(bench.peek<word>(data + 4) == 0);
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::watch);
  CHECK(bench.hart->pc() == code + 12);
  CHECK(bench.hart->last_watch_hit().address == data + 7);
  CHECK(bench.peek<word>(data + 4) == 9);
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::wait);
}

TEST_CASE("loads are watched apart from stores, on devices and in atomics") {
  hart_bench bench(64);
  bench.hart->set_reg(a1, hart_bench::device);
  bench.hart->set_watches({{hart_bench::device, 8, true, false}});
  bench.put(code,
            {sw(a0, a1, 0), lw(a2, a1, 0), amo(0, 3, a2, a1, a0), amo(0, 3, zero, a1, a0), wfi});
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::watch);
  CHECK(bench.hart->pc() == code + 4);
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::watch);
  CHECK(bench.hart->pc() == code + 8);
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::wait);
}

TEST_CASE("a watched access that nobody answers still traps") {
  hart_bench bench(64);
  bench.hart->set_watches({{0, 64, true, true}});
  bench.put(code, {lw(a2, zero, 0)});
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::watch);
  CHECK(bench.hart->run(UINT64_MAX) == stop_reason::unhandled);
}

TEST_CASE("stops leave cycles, instructions and the ends of runs as they are") {
  const auto ends = [](bool is_debugged) {
    hart_bench bench(64);
    bench.hart->set_reg(a0, 500);
    bench.hart->set_reg(t0, data);
    bench.hart->set_reg(t1, hart_bench::device);
    bench.put(code, {addi(a0, a0, -1), sw(a0, t0, 0), lw(a2, t1, 0), addi(a1, a1, 1),
                     b_type(1, a0, zero, -16), wfi});
    if (is_debugged) {
      bench.hart->set_breakpoints({code + 4, code + 12});
      bench.hart->set_watches({{data, 4, true, true}, {hart_bench::device, 4, true, true}});
    }
    std::vector<std::uint64_t> seen;
    std::uint64_t limit = 100;
    for (bool is_over = false; !is_over;) {
      const stop_reason reason = bench.hart->run(limit);
      if (is_of_debugger(reason)) {
        if (bench.hart->instructions() % 3 == 0) bench.hart->stop_after_one();
        if (!bench.hart->is_due()) continue;
      }
      seen.push_back(bench.hart->cycles());
      seen.push_back(bench.hart->instructions());
      limit = bench.hart->cycles() + 100;
      is_over = reason == stop_reason::wait;
    }
    return seen;
  };
  CHECK(ends(true) == ends(false));
}
