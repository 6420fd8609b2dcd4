// What traps, with which cause and value, and what a handler finds.
#include <catch2/catch.hpp>

#include "tests/unit/models/rv/hart_bench.hpp"

using namespace heddle::rv;
using namespace heddle::rv::assembler;

namespace {

constexpr unsigned mstatus = 0x300, mie = 0x304, mtvec = 0x305, mepc = 0x341, mcause = 0x342,
                   mtval = 0x343, mip = 0x344;
constexpr std::uint64_t nowhere = 0x40000000;

// A hart whose handler sleeps at once.
struct trap_bench {
  explicit trap_bench(int xlen) : bench(xlen) {
    bench.put(hart_bench::handler, {wfi});
    bench.hart->write_csr(mtvec, hart_bench::handler);
    bench.hart->set_reg(a1, nowhere);
    bench.hart->set_reg(a2, hart_bench::data + 1);
  }
  // One instruction after two others.
  void run(word instruction) { bench.run({addi(t0, zero, 1), addi(t1, zero, 2), instruction}); }
  hart_bench bench;
};

}  // namespace

TEST_CASE("each trap has its cause, its value and its pc") {
  struct row {
    const char* name;
    word instruction;
    trap_cause cause;
    std::uint64_t value;
  };
  const std::uint64_t odd = hart_bench::data + 1;
  const row rows[] = {
      {"load from nowhere", lw(a0, a1, 4), trap_cause::load_access, nowhere + 4},
      {"store to nowhere", sw(a0, a1, 4), trap_cause::store_access, nowhere + 4},
      {"half", load(1, a0, a2, 0), trap_cause::load_misaligned, odd},
      {"word", lw(a0, a2, 1), trap_cause::load_misaligned, odd + 1},
      {"store", s_type(1, a2, a0, 0), trap_cause::store_misaligned, odd},
      {"load-reserved", amo(2, 2, a0, a2, 0), trap_cause::load_misaligned, odd},
      {"store-conditional", amo(3, 2, a0, a2, a0), trap_cause::store_misaligned, odd},
      {"amoadd", amo(0, 2, a0, a2, a0), trap_cause::store_misaligned, odd},
      {"load-reserved nowhere", amo(2, 2, a0, a1, 0), trap_cause::load_access, nowhere},
      {"amoswap nowhere", amo(1, 2, a0, a1, a0), trap_cause::store_access, nowhere},
      {"ecall", ecall, trap_cause::machine_ecall, 0},
      {"ebreak", ebreak, trap_cause::breakpoint, hart_bench::code + 8},
      {"zero", 0x00000000, trap_cause::illegal_instruction, 0},
      {"ones", 0xffffffff, trap_cause::illegal_instruction, 0xffffffff},
      {"unknown opcode", 0x0000000b, trap_cause::illegal_instruction, 0x0000000b},
      {"sret", 0x10200073, trap_cause::illegal_instruction, 0x10200073},
      {"no such csr", csrr(a0, 0x180), trap_cause::illegal_instruction, csrr(a0, 0x180)},
      {"write of a read-only csr", csrw(0xc00, a0), trap_cause::illegal_instruction,
       csrw(0xc00, a0)},
  };
  for (const int xlen : {32, 64}) {
    for (const row& each : rows) {
      INFO(each.name << " at " << xlen);
      trap_bench traps(xlen);
      hart_bench& bench = traps.bench;
      traps.run(each.instruction);
      CHECK(bench.csr(mcause) == static_cast<unsigned>(each.cause));
      CHECK(bench.csr(mtval) == each.value);
      CHECK(bench.csr(mepc) == hart_bench::code + 8);
      CHECK(bench.hart->pc() == hart_bench::handler + 4);
      CHECK(bench.hart->reg(a0) == 0);
      CHECK(bench.hart->instructions() == 3);  // two before, the handler's one
    }
  }
}

TEST_CASE("what RV64 alone has is illegal on RV32") {
  for (const word each : {load(3, a0, a2, 0), load(6, a0, a2, 0), s_type(3, a2, a0, 0),
                          r_type(0, 0, 0x3b, a0, a1, a2), i_type(0, 0x1b, a0, a1, 0),
                          i_type(1, 0x13, a0, a1, 32), amo(0, 3, a0, a2, a0)}) {
    trap_bench traps(32);
    traps.run(each);
    CHECK(traps.bench.csr(mcause) == 2);
    CHECK(traps.bench.csr(mtval) == each);
  }
}

TEST_CASE("code that nobody has traps where it is fetched") {
  for (const std::int64_t from : {0L, 2L}) {
    trap_bench traps(64);
    hart_bench& bench = traps.bench;
    const std::uint64_t end = hart_bench::memory_base + hart_bench::memory_bytes;
    // A whole instruction is missing, or its second half.
    const std::uint64_t target = end - static_cast<std::uint64_t>(from);
    bench.poke(end - 2, std::uint16_t{0x0013});
    bench.hart->set_reg(s0, target);
    traps.run(jalr(zero, s0, 0));
    CHECK(bench.csr(mcause) == 1);
    CHECK(bench.csr(mepc) == target);
    CHECK(bench.csr(mtval) == end);
  }
}

TEST_CASE("a trap masks interrupts and mret gives them back") {
  trap_bench traps(64);
  hart_bench& bench = traps.bench;
  bench.put(hart_bench::handler, {csrr(s0, mstatus), addi(s1, s1, 1), csrr(t2, mepc),
                                  addi(t2, t2, 4), csrw(mepc, t2), mret});
  bench.hart->write_csr(mstatus, 8);
  CHECK(bench.run({ecall, csrr(a0, mstatus)}) == stop_reason::wait);
  CHECK(bench.hart->reg(s0) == 0x1880);
  CHECK(bench.hart->reg(s1) == 1);
  CHECK(bench.hart->reg(a0) == 0x1888);
}

TEST_CASE("interrupts are taken in the order of their priority") {
  for (const int xlen : {32, 64}) {
    for (const bool is_vectored : {false, true}) {
      hart_bench bench(xlen);
      bench.hart->write_csr(mtvec, hart_bench::handler | (is_vectored ? 1 : 0));
      bench.hart->write_csr(mie, 0x888);
      bench.hart->write_csr(mstatus, 8);
      const std::uint64_t top = std::uint64_t{1} << (xlen - 1);
      for (const interrupt each : {interrupt::timer, interrupt::software, interrupt::external}) {
        bench.hart->set_pending(each, true);
        bench.hart->set_pc(hart_bench::code);
        bench.hart->write_csr(mstatus, 8);
        REQUIRE(bench.hart->is_interrupted());
        REQUIRE(bench.hart->take_interrupt());
        const auto number = static_cast<std::uint64_t>(each);
        CHECK(bench.csr(mcause) == (top | number));
        CHECK(bench.csr(mepc) == hart_bench::code);
        CHECK(bench.hart->pc() == hart_bench::handler + (is_vectored ? 4 * number : 0));
        CHECK_FALSE(bench.hart->take_interrupt());  // masked now
      }
      CHECK(bench.csr(mip) == 0x888);
    }
  }
}

TEST_CASE("exceptions go to the base of a vectored handler") {
  trap_bench traps(64);
  traps.bench.hart->write_csr(mtvec, hart_bench::handler | 1);
  traps.run(ecall);
  CHECK(traps.bench.hart->pc() == hart_bench::handler + 4);
}

TEST_CASE("a line that is not enabled neither wakes nor interrupts") {
  hart_bench bench(64);
  bench.hart->set_pending(interrupt::external, true);
  CHECK_FALSE(bench.hart->is_woken());
  bench.hart->write_csr(mie, 1U << 11);
  CHECK(bench.hart->is_woken());
  CHECK_FALSE(bench.hart->take_interrupt());
}

TEST_CASE("a trap without a handler stops the hart and changes nothing") {
  hart_bench bench(64);
  CHECK(bench.run({addi(a0, zero, 5), ecall}) == stop_reason::unhandled);
  CHECK(bench.hart->unhandled().cause == trap_cause::machine_ecall);
  CHECK(bench.hart->unhandled().pc == hart_bench::code + 4);
  CHECK(bench.hart->pc() == hart_bench::code + 4);
  CHECK(bench.hart->instructions() == 1);
  CHECK(bench.csr(mcause) == 0);
}

TEST_CASE("a handler whose first instruction traps stops the hart") {
  const word first = GENERATE(0x00000000U, 0xffffffffU, ebreak);
  const std::uint64_t mode = GENERATE(0U, 1U);
  hart_bench bench(64);
  bench.put(hart_bench::handler, {first});
  bench.hart->write_csr(mtvec, hart_bench::handler | mode);
  CHECK(bench.run({addi(a0, zero, 5), ecall}) == stop_reason::unhandled);
  CHECK(bench.hart->unhandled().pc == hart_bench::handler);
  CHECK(bench.csr(mepc) == hart_bench::code + 4);  // what the handler was wanted for
  CHECK(bench.csr(mcause) == static_cast<std::uint64_t>(trap_cause::machine_ecall));
}

TEST_CASE("misaligned accesses are served where the hart does that") {
  hart_bench bench(64, {}, true);
  bench.hart->set_reg(a1, hart_bench::data + 0xffd);  // across two pages
  bench.hart->set_reg(a2, 0x1122334455667788);
  bench.run({s_type(3, a1, a2, 0), load(3, a0, a1, 0), load(1, t0, a1, 2), load(2, t1, a1, 3)});
  CHECK(bench.peek<std::uint64_t>(hart_bench::data + 0xffd) == 0x1122334455667788);
  CHECK(bench.hart->reg(a0) == 0x1122334455667788);
  CHECK(bench.hart->reg(t0) == 0x5566);
  CHECK(bench.hart->reg(t1) == 0x22334455);
}
