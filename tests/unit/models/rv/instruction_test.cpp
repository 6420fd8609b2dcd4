// Every instruction between registers, every load, store, branch and jump, at both widths.
#include <catch2/catch.hpp>

#include "tests/unit/models/rv/hart_bench.hpp"

using namespace heddle::rv;
using namespace heddle::rv::assembler;

namespace {

constexpr int both = 0;

struct computation {
  const char* name;
  int xlen;      // 32, 64 or both
  word encoded;  // rd a0, rs1 a1, rs2 a2
  std::uint64_t a, b, result;
};

constexpr word op = 0x33, op_word = 0x3b, op_imm = 0x13, op_imm_word = 0x1b;
constexpr word r(word funct7, word funct3, word opcode = op) {
  return r_type(funct7, funct3, opcode, a0, a1, a2);
}
constexpr word i(word funct3, std::int64_t imm, word opcode = op_imm) {
  return i_type(funct3, opcode, a0, a1, imm);
}

constexpr std::uint64_t minus1 = ~std::uint64_t{0};
constexpr std::uint64_t min64 = std::uint64_t{1} << 63, min32 = 0xffffffff80000000;

// Values are those of 64 bits; a 32-bit hart sees and gives their lower halves.
const computation table[] = {
    {"add", both, r(0, 0), 5, 7, 12},
    {"add wraps", both, r(0, 0), minus1, 2, 1},
    {"sub", both, r(0x20, 0), 5, 7, minus1 - 1},
    {"sll", both, r(0, 1), 3, 4, 48},
    {"sll takes the low bits", 64, r(0, 1), 3, 64 + 33, std::uint64_t{3} << 33},
    {"sll takes the low bits", 32, r(0, 1), 3, 32 + 1, 6},
    {"slt", both, r(0, 2), minus1, 1, 1},
    {"slt", both, r(0, 2), 1, minus1, 0},
    {"slt equal", both, r(0, 2), 4, 4, 0},
    {"sltu", both, r(0, 3), minus1, 1, 0},
    {"sltu", both, r(0, 3), 1, minus1, 1},
    {"xor", both, r(0, 4), 0b1100, 0b1010, 0b0110},
    {"srl", 64, r(0, 5), min64, 63, 1},
    {"srl", 32, r(0, 5), 0x80000000, 31, 1},
    {"sra", 64, r(0x20, 5), min64, 63, minus1},
    {"sra", 32, r(0x20, 5), 0x80000000, 31, minus1},
    {"or", both, r(0, 6), 0b1100, 0b1010, 0b1110},
    {"and", both, r(0, 7), 0b1100, 0b1010, 0b1000},
    {"addi", both, i(0, -3), 1, 0, minus1 - 1},
    {"slti", both, i(2, -1), minus1 - 1, 0, 1},
    {"slti", both, i(2, -1), 0, 0, 0},
    {"sltiu", both, i(3, -1), 5, 0, 1},
    {"sltiu", both, i(3, 1), 0, 0, 1},
    {"xori", both, i(4, -1), 0x55, 0, ~std::uint64_t{0x55}},
    {"ori", both, i(6, 0x0f), 0xf0, 0, 0xff},
    {"andi", both, i(7, -16), 0x123, 0, 0x120},
    {"slli", 64, i(1, 63), 1, 0, min64},
    {"slli", 32, i(1, 31), 1, 0, min32},
    {"srli", 64, i(5, 60), minus1, 0, 15},
    {"srli", 32, i(5, 28), minus1, 0, 15},
    {"srai", 64, i(5, 0x400 | 63), min64, 0, minus1},
    {"srai", 32, i(5, 0x400 | 31), min32, 0, minus1},
    {"addw", 64, r(0, 0, op_word), 0x7fffffff, 1, min32},
    {"subw", 64, r(0x20, 0, op_word), 0, 1, minus1},
    {"sllw", 64, r(0, 1, op_word), 1, 32 + 31, min32},
    {"srlw", 64, r(0, 5, op_word), 0xff80000000, 31, 1},
    {"sraw", 64, r(0x20, 5, op_word), 0x80000000, 31, minus1},
    {"addiw", 64, i(0, 1, op_imm_word), 0x17fffffff, 0, min32},
    {"slliw", 64, i(1, 31, op_imm_word), 3, 0, min32},
    {"srliw", 64, i(5, 4, op_imm_word), 0xf80000000, 0, 0x08000000},
    {"sraiw", 64, i(5, 0x400 | 4, op_imm_word), 0x80000000, 0, 0xfffffffff8000000},
    {"mul", both, r(1, 0), 7, minus1, minus1 - 6},
    {"mulh", 64, r(1, 1), minus1, minus1, 0},
    {"mulh", 64, r(1, 1), min64, 2, minus1},
    {"mulh", 32, r(1, 1), min32, 2, minus1},
    {"mulhsu", both, r(1, 2), minus1, minus1, minus1},
    {"mulhsu", 64, r(1, 2), min64, 4, minus1 - 1},
    {"mulhu", both, r(1, 3), minus1, minus1, minus1 - 1},
    {"div", both, r(1, 4), minus1 - 6, 2, minus1 - 2},
    {"div by zero", both, r(1, 4), 42, 0, minus1},
    {"div overflow", 64, r(1, 4), min64, minus1, min64},
    {"div overflow", 32, r(1, 4), min32, minus1, min32},
    {"divu", both, r(1, 5), 43, 6, 7},
    {"divu by zero", both, r(1, 5), 43, 0, minus1},
    {"rem", both, r(1, 6), minus1 - 6, 2, minus1},
    {"rem by zero", both, r(1, 6), 42, 0, 42},
    {"rem overflow", 64, r(1, 6), min64, minus1, 0},
    {"rem overflow", 32, r(1, 6), min32, minus1, 0},
    {"remu", both, r(1, 7), 43, 6, 1},
    {"remu by zero", both, r(1, 7), 43, 0, 43},
    {"mulw", 64, r(1, 0, op_word), 0x100000003, 0x40000000, minus1 - 0x3fffffff},
    {"divw", 64, r(1, 4, op_word), 0xf00000008, minus1 - 1, minus1 - 3},
    {"divw by zero", 64, r(1, 4, op_word), 8, 0, minus1},
    {"divw overflow", 64, r(1, 4, op_word), 0x80000000, minus1, min32},
    {"divuw", 64, r(1, 5, op_word), 0xffffffff80000000, 1, min32},
    {"divuw by zero", 64, r(1, 5, op_word), 8, 0, minus1},
    {"remw", 64, r(1, 6, op_word), 0x80000001, 2, minus1},
    {"remw by zero", 64, r(1, 6, op_word), 0x80000001, 0, 0xffffffff80000001},
    {"remw overflow", 64, r(1, 6, op_word), 0x80000000, minus1, 0},
    {"remuw", 64, r(1, 7, op_word), 0xfffffffff, 16, 15},
    {"remuw by zero", 64, r(1, 7, op_word), 0x180000000, 0, min32},
    {"lui", both, lui(a0, 0x7ffff000), 0, 0, 0x7ffff000},
    {"lui sign-extends", both, lui(a0, 0x80000000), 0, 0, min32},
    {"auipc", both, u_type(0x17, a0, 0x1000), 0, 0, hart_bench::code + 0x1000},
};

std::uint64_t as_register(std::uint64_t value, int xlen) {
  return xlen == 32 ? value & 0xffffffff : value;
}

}  // namespace

TEST_CASE("what instructions between registers compute") {
  for (const computation& each : table) {
    for (const int xlen : {32, 64}) {
      if (each.xlen != both && each.xlen != xlen) continue;
      hart_bench bench(xlen);
      bench.hart->set_reg(a1, each.a);
      bench.hart->set_reg(a2, each.b);
      INFO(each.name << " at " << xlen);
      CHECK(bench.run({each.encoded}) == stop_reason::wait);
      CHECK(bench.hart->reg(a0) == as_register(each.result, xlen));
      CHECK(bench.hart->reg(a1) == as_register(each.a, xlen));
      CHECK(bench.hart->instructions() == 2);
    }
  }
}

TEST_CASE("x0 stays zero whatever is written to it") {
  hart_bench bench(64);
  bench.hart->set_reg(a1, 5);
  bench.put(hart_bench::data, {77});
  bench.hart->set_reg(a2, hart_bench::data);
  bench.run({addi(zero, a1, 3), lui(zero, 0x1000), lw(zero, a2, 0), add(a0, zero, zero)});
  CHECK(bench.hart->reg(0) == 0);
  CHECK(bench.hart->reg(a0) == 0);
}

TEST_CASE("loads extend as their names say") {
  struct row {
    word funct3;
    int xlen;
    std::uint64_t result;
  };
  const row rows[] = {{0, 64, 0xfffffffffffffff8},
                      {1, 64, 0xffffffffffff98f8},
                      {2, 64, 0xffffffffb8d898f8},
                      {3, 64, 0x18285888b8d898f8},
                      {4, 64, 0xf8},
                      {5, 64, 0x98f8},
                      {6, 64, 0xb8d898f8},
                      {0, 32, 0xfffffff8},
                      {1, 32, 0xffff98f8},
                      {2, 32, 0xb8d898f8},
                      {4, 32, 0xf8},
                      {5, 32, 0x98f8}};
  for (const bool is_direct : {true, false}) {
    for (const row& each : rows) {
      hart_bench bench(each.xlen);
      bench.poke(hart_bench::data, std::uint64_t{0x18285888b8d898f8});
      bench.hart->set_reg(a1, hart_bench::data + 16);
      bench.is_direct = is_direct;
      INFO("funct3 " << each.funct3 << " at " << each.xlen);
      bench.run({load(each.funct3, a0, a1, -16), load(each.funct3, a2, a1, -16)});
      CHECK(bench.hart->reg(a0) == each.result);
      CHECK(bench.hart->reg(a2) == each.result);
      CHECK(bench.loads == (is_direct ? 0 : 2));
    }
  }
}

TEST_CASE("stores write as many bytes as their names say") {
  const std::uint64_t written[] = {0xaaaaaaaaaaaaaa08, 0xaaaaaaaaaaaa0708, 0xaaaaaaaa05060708,
                                   0x0102030405060708};
  for (const bool is_direct : {true, false}) {
    for (word funct3 = 0; funct3 < 4; ++funct3) {
      hart_bench bench(64);
      bench.poke(hart_bench::data, std::uint64_t{0xaaaaaaaaaaaaaaaa});
      bench.poke(hart_bench::data + 8, std::uint64_t{0xaaaaaaaaaaaaaaaa});
      bench.hart->set_reg(a1, hart_bench::data - 8);
      bench.hart->set_reg(a2, 0x0102030405060708);
      bench.is_direct = is_direct;
      bench.run({s_type(funct3, a1, a2, 8), s_type(funct3, a1, a2, 16)});
      CHECK(bench.peek<std::uint64_t>(hart_bench::data) == written[funct3]);
      CHECK(bench.peek<std::uint64_t>(hart_bench::data + 8) == written[funct3]);
    }
  }
}

TEST_CASE("branches are taken when they should, either way") {
  struct row {
    word funct3;
    std::uint64_t a, b;
    bool is_taken;
  };
  const row rows[] = {
      {0, 1, 1, true},      {0, 1, 2, false},      {1, 1, 2, true},       {1, 2, 2, false},
      {4, minus1, 0, true}, {4, 0, 0, false},      {4, 0, minus1, false}, {5, 0, 0, true},
      {5, 0, minus1, true}, {5, minus1, 0, false}, {6, 0, minus1, true},  {6, minus1, 0, false},
      {6, 3, 3, false},     {7, minus1, 0, true},  {7, 3, 3, true},       {7, 0, minus1, false}};
  for (const int xlen : {32, 64}) {
    for (const row& each : rows) {
      hart_bench bench(xlen);
      bench.hart->set_reg(a1, each.a);
      bench.hart->set_reg(a2, each.b);
      INFO("funct3 " << each.funct3 << " of " << each.a << " and " << each.b << " at " << xlen);
      bench.run({b_type(each.funct3, a1, a2, 8), addi(a0, zero, 1)});
      CHECK(bench.hart->reg(a0) == (each.is_taken ? 0 : 1));
    }
  }
}

TEST_CASE("jumps leave the address behind them, and go backwards too") {
  hart_bench bench(64);
  bench.put(hart_bench::code + 0x1000, {addi(t0, zero, 7), jalr(t1, ra, 1)});
  bench.run({jal(ra, 0x1000), addi(a0, zero, 3)});
  CHECK(bench.hart->reg(ra) == hart_bench::code + 4);
  CHECK(bench.hart->reg(t0) == 7);
  CHECK(bench.hart->reg(t1) == hart_bench::code + 0x1008);
  CHECK(bench.hart->reg(a0) == 3);
}

TEST_CASE("a jump to a register may overwrite that register") {
  hart_bench bench(64);
  bench.hart->set_reg(ra, hart_bench::code + 8);
  bench.run({jalr(ra, ra, 0), addi(a0, zero, 1), addi(a1, zero, 1)});
  CHECK(bench.hart->reg(ra) == hart_bench::code + 4);
  CHECK(bench.hart->reg(a0) == 0);
  CHECK(bench.hart->reg(a1) == 1);
}

TEST_CASE("a fence reaches the bus") {
  hart_bench bench(64);
  bench.run({fence, fence});
  CHECK(bench.fences == 2);
  CHECK(bench.device_fences == 2);
}

TEST_CASE("a fence orders what its operands name") {
  constexpr std::uint32_t pause = 0x0100000f, reads = 0x0220000f, memory = 0x0330000f,
                          input = 0x0880000f, doorbell = 0x0140000f;
  hart_bench bench(64);
  bench.run({pause, reads, input, memory, memory, doorbell});
  CHECK(bench.fences == 3);
  CHECK(bench.device_fences == 1);
}

TEST_CASE("fence.i waits for stores, but orders nothing for devices") {
  const int xlen = GENERATE(32, 64);
  hart_bench bench(xlen);
  bench.run({fence_i, fence_i});
  CHECK(bench.fences == 2);
  CHECK(bench.device_fences == 0);
}
