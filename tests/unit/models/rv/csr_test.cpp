// Control and status registers: the six instructions, what can be written, counters.
#include <catch2/catch.hpp>

#include "tests/unit/models/rv/hart_bench.hpp"

using namespace heddle::rv;
using namespace heddle::rv::assembler;

namespace {

constexpr unsigned mscratch = 0x340, mcycle = 0xb00, minstret = 0xb02, mcycleh = 0xb80,
                   cycle = 0xc00, time_csr = 0xc01, instret = 0xc02, timeh = 0xc81;

}  // namespace

TEST_CASE("swap, set and clear, from a register and from a constant") {
  struct row {
    word funct3, rs1;
    std::uint64_t after;
  };
  const row rows[] = {{1, a1, 0b0110}, {2, a1, 0b1110}, {3, a1, 0b1000},
                      {5, 5, 0b0101},  {6, 5, 0b1101},  {7, 5, 0b1000}};
  for (const int xlen : {32, 64}) {
    for (const row& each : rows) {
      hart_bench bench(xlen);
      bench.hart->write_csr(mscratch, each.funct3 == 7   ? 0b1101
                                      : each.funct3 == 3 ? 0b1110
                                                         : 0b1000);
      const std::uint64_t before = bench.csr(mscratch);
      bench.hart->set_reg(a1, 0b0110);
      bench.run({csr(each.funct3, a0, mscratch, each.rs1)});
      CHECK(bench.hart->reg(a0) == before);
      CHECK(bench.csr(mscratch) == each.after);
    }
  }
}

TEST_CASE("setting and clearing nothing is no write") {
  for (const word funct3 : {2U, 3U, 6U, 7U}) {
    hart_bench bench(64);
    bench.now = 99;
    bench.run({csr(funct3, a0, time_csr, 0)});
    CHECK(bench.hart->reg(a0) == 99);
  }
}

TEST_CASE("a swap may read and write the same register") {
  hart_bench bench(64);
  bench.hart->write_csr(mscratch, 7);
  bench.hart->set_reg(a0, 9);
  bench.run({csr(1, a0, mscratch, a0)});
  CHECK(bench.hart->reg(a0) == 7);
  CHECK(bench.csr(mscratch) == 9);
}

TEST_CASE("registers keep only the bits that there are") {
  struct row {
    unsigned number;
    std::uint64_t written, read32, read64;
  };
  const std::uint64_t ones = UINT64_MAX;
  const row rows[] = {
      // mstatus: MPP is always machine, floating point is off or Dirty (SD)
      {0x300, ones, 0x80007888, 0x8000000000007888},
      {0x300, 0, 0x1800, 0x1800},
      {0x304, ones, 0x888, 0x888},                    // mie
      {0x305, ones, 0xfffffffd, 0xfffffffffffffffd},  // mtvec
      {0x341, ones, 0xfffffffe, 0xfffffffffffffffe},  // mepc
      {0x342, ones, 0xffffffff, ones},                // mcause
      {0x343, ones, 0xffffffff, ones},                // mtval
      {0x344, ones, 0, 0},                            // mip
      {0x301, 0, 0x4000112d, 0x800000000000112d},     // misa: A, C, D, F, I, M
      {0x3a0, ones, 0, 0},                            // pmpcfg0
      {0x3b0, ones, 0, 0},                            // pmpaddr0
      {0x320, ones, 0, 0},                            // mcountinhibit
      {0xb03, ones, 0, 0},                            // mhpmcounter3
      {0x33f, ones, 0, 0},                            // mhpmevent31
  };
  for (const row& each : rows) {
    hart_bench narrow(32), wide(64);
    INFO(std::hex << each.number);
    CHECK(narrow.hart->write_csr(each.number, each.written));
    CHECK(wide.hart->write_csr(each.number, each.written));
    CHECK(narrow.csr(each.number) == each.read32);
    CHECK(wide.csr(each.number) == each.read64);
  }
}

TEST_CASE("who the hart is") {
  hart_bench bench(64);
  bench.hart->set_hart_number(3);
  CHECK(bench.csr(0xf14) == 3);
  for (const unsigned number : {0xf11U, 0xf12U, 0xf13U, 0xf15U}) {
    std::uint64_t value = 1;
    CHECK(bench.hart->read_csr(number, value));
    CHECK(value == 0);
    CHECK_FALSE(bench.hart->write_csr(number, 1));
  }
}

TEST_CASE("counters count up to the instruction that reads them") {
  cycle_costs costs;
  costs[instruction_class::alu] = 3;
  costs[instruction_class::system] = 5;
  hart_bench bench(64, costs);
  bench.run({addi(t0, zero, 1), addi(t0, zero, 1), csrr(a0, cycle), csrr(a1, instret)});
  CHECK(bench.hart->reg(a0) == 6);
  CHECK(bench.hart->reg(a1) == 3);
  CHECK(bench.hart->cycles() == 6 + 3 * 5);
}

TEST_CASE("a counter that is written goes on from there") {
  hart_bench bench(64);
  bench.hart->set_reg(a1, 100);
  bench.run({csrw(minstret, a1), csrr(a0, minstret), csrw(mcycle, a1), addi(t0, t0, 1),
             csrr(t1, mcycle)});
  CHECK(bench.hart->reg(a0) == 100);
  CHECK(bench.hart->reg(t1) == 101);
}

TEST_CASE("upper halves of counters are registers of RV32 alone") {
  hart_bench narrow(32), wide(64);
  narrow.now = 0x1234567890;
  CHECK(narrow.csr(timeh) == 0x12);
  CHECK(narrow.csr(time_csr) == 0x34567890);
  CHECK(narrow.hart->write_csr(mcycleh, 7));
  CHECK(narrow.csr(mcycleh) == 7);
  CHECK(narrow.csr(mcycle) == 0);
  CHECK(narrow.hart->write_csr(mcycle, 5));
  CHECK(narrow.csr(mcycleh) == 7);
  CHECK(narrow.csr(mcycle) == 5);
  std::uint64_t value = 0;
  CHECK_FALSE(wide.hart->read_csr(timeh, value));
  CHECK_FALSE(wide.hart->read_csr(mcycleh, value));
}

TEST_CASE("a write to either half of a counter stands for its own counting") {
  hart_bench bench(32);
  bench.hart->set_reg(a1, ~0U);
  bench.run({csrw(minstret, a1), csrw(0xb82, a1), addi(t0, t0, 1), csrr(a0, minstret)});
  CHECK(bench.hart->reg(a0) == 0);
}

TEST_CASE("there are no triggers") {
  hart_bench bench(64);
  for (const unsigned number : {0x7a0U, 0x7a1U, 0x7a2U, 0x7a3U}) {
    CHECK(bench.hart->write_csr(number, UINT64_MAX));
    CHECK(bench.csr(number) == 0);
  }
}
