// Every compressed instruction against the one that it abbreviates, as the manual lists them.
#include <catch2/catch.hpp>

#include "models/cpu/rv/decoder.hpp"

using namespace heddle::rv;

namespace {

struct row {
  const char* name;
  int xlen;  // 0: both
  std::uint16_t bits;
  opcode op;
  int rd, rs1, rs2, imm;
};

// Encodings from an assembler's listing of the instruction that the name says.
const row table[] = {
    {"c.addi4spn a0, sp, 16", 0, 0x0808, opcode::addi, 10, 2, 0, 16},
    {"c.addi4spn s0, sp, 1020", 0, 0x1fe0, opcode::addi, 8, 2, 0, 1020},
    {"c.lw a0, 4(a1)", 0, 0x41c8, opcode::lw, 10, 11, 0, 4},
    {"c.lw a5, 124(a4)", 0, 0x5f7c, opcode::lw, 15, 14, 0, 124},
    {"c.ld a0, 8(a1)", 64, 0x6588, opcode::ld, 10, 11, 0, 8},
    {"c.ld s1, 248(s0)", 64, 0x7c64, opcode::ld, 9, 8, 0, 248},
    {"c.sw a0, 64(a1)", 0, 0xc1a8, opcode::sw, 0, 11, 10, 64},
    {"c.sd a0, 192(a1)", 64, 0xe1e8, opcode::sd, 0, 11, 10, 192},
    {"c.nop", 0, 0x0001, opcode::addi, 0, 0, 0, 0},
    {"c.addi a0, -32", 0, 0x1501, opcode::addi, 10, 10, 0, -32},
    {"c.addiw a0, 31", 64, 0x257d, opcode::addiw, 10, 10, 0, 31},
    {"c.jal -2", 32, 0x3ffd, opcode::jal, 1, 0, 0, -2},
    {"c.li a0, -1", 0, 0x557d, opcode::addi, 10, 0, 0, -1},
    {"c.addi16sp sp, -64", 0, 0x7139, opcode::addi, 2, 2, 0, -64},
    {"c.addi16sp sp, 496", 0, 0x617d, opcode::addi, 2, 2, 0, 496},
    {"c.lui a0, 0xfffe1", 0, 0x7505, opcode::lui, 10, 0, 0, -0x1f000},
    {"c.lui a0, 1", 0, 0x6505, opcode::lui, 10, 0, 0, 0x1000},
    {"c.srli a0, 31", 0, 0x817d, opcode::srli, 10, 10, 0, 31},
    {"c.srli a0, 32", 64, 0x9101, opcode::srli, 10, 10, 0, 32},
    {"c.srai a0, 63", 64, 0x957d, opcode::srai, 10, 10, 0, 63},
    {"c.andi a0, -2", 0, 0x9979, opcode::andi, 10, 10, 0, -2},
    {"c.sub a0, a1", 0, 0x8d0d, opcode::sub, 10, 10, 11, 0},
    {"c.xor a0, a1", 0, 0x8d2d, opcode::xor_, 10, 10, 11, 0},
    {"c.or a0, a1", 0, 0x8d4d, opcode::or_, 10, 10, 11, 0},
    {"c.and a0, a1", 0, 0x8d6d, opcode::and_, 10, 10, 11, 0},
    {"c.subw a0, a1", 64, 0x9d0d, opcode::subw, 10, 10, 11, 0},
    {"c.addw a0, a1", 64, 0x9d2d, opcode::addw, 10, 10, 11, 0},
    {"c.j 2046", 0, 0xaffd, opcode::jal, 0, 0, 0, 2046},
    {"c.j -2048", 0, 0xb001, opcode::jal, 0, 0, 0, -2048},
    {"c.beqz a0, 254", 0, 0xcd7d, opcode::beq, 0, 10, 0, 254},
    {"c.bnez a0, -256", 0, 0xf101, opcode::bne, 0, 10, 0, -256},
    {"c.slli a0, 1", 0, 0x0506, opcode::slli, 10, 10, 0, 1},
    {"c.slli a0, 63", 64, 0x157e, opcode::slli, 10, 10, 0, 63},
    {"c.lwsp a0, 252(sp)", 0, 0x557e, opcode::lw, 10, 2, 0, 252},
    {"c.ldsp a0, 504(sp)", 64, 0x757e, opcode::ld, 10, 2, 0, 504},
    {"c.jr ra", 0, 0x8082, opcode::jalr, 0, 1, 0, 0},
    {"c.mv a0, a1", 0, 0x852e, opcode::add, 10, 0, 11, 0},
    {"c.ebreak", 0, 0x9002, opcode::ebreak, 0, 0, 0, 0},
    {"c.jalr a0", 0, 0x9502, opcode::jalr, 1, 10, 0, 0},
    {"c.add a0, a1", 0, 0x952e, opcode::add, 10, 10, 11, 0},
    {"c.swsp a0, 252(sp)", 0, 0xdfaa, opcode::sw, 0, 2, 10, 252},
    {"c.sdsp a0, 504(sp)", 64, 0xffaa, opcode::sd, 0, 2, 10, 504},
};

}  // namespace

TEST_CASE("compressed instructions decode to what they abbreviate") {
  for (const row& each : table) {
    for (const int xlen : {32, 64}) {
      if (each.xlen != 0 && each.xlen != xlen) continue;
      const instruction found = decode(each.bits, xlen);
      INFO(each.name << " at " << xlen);
      CHECK(found.op == each.op);
      CHECK(found.bytes == 2);
      CHECK(found.bits == each.bits);
      CHECK(int{found.rd} == each.rd);
      CHECK(int{found.rs1} == each.rs1);
      CHECK(int{found.rs2} == each.rs2);
      CHECK(found.imm == each.imm);
    }
  }
}

TEST_CASE("reserved compressed instructions are illegal") {
  const auto is_illegal = [](std::uint16_t bits, int xlen) {
    return decode(bits, xlen).op == opcode::illegal;
  };
  for (const int xlen : {32, 64}) {
    CHECK(is_illegal(0x0000, xlen));
    CHECK(is_illegal(0x0004, xlen));  // c.addi4spn of 0
    CHECK(is_illegal(0x8000, xlen));
    CHECK(is_illegal(0x6101, xlen));  // c.addi16sp of 0
    CHECK(is_illegal(0x6501, xlen));  // c.lui of 0
    CHECK(is_illegal(0x9c41, xlen));
    CHECK(is_illegal(0x4002, xlen));  // c.lwsp to x0
    CHECK(is_illegal(0x8002, xlen));  // c.jr of x0
  }
  CHECK(is_illegal(0x2001, 64));  // c.addiw of x0
  CHECK(is_illegal(0x6002, 64));  // c.ldsp to x0
  CHECK(is_illegal(0x9101, 32));  // c.srli by 32
  CHECK(is_illegal(0x1502, 32));  // c.slli by 32
  CHECK(is_illegal(0x9d0d, 32));  // c.subw
}
