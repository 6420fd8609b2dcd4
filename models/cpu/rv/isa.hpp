// The instructions of RV32IMAC and RV64IMAC with Zicsr and Zifencei, as decoding finds them.
// Compressed instructions decode to the instruction that they abbreviate.
#pragma once

#include <cstdint>

namespace heddle::rv {

// clang-format off
enum class opcode : std::uint8_t {
  illegal,
  lui, auipc, jal, jalr,
  beq, bne, blt, bge, bltu, bgeu,
  lb, lh, lw, ld, lbu, lhu, lwu,
  sb, sh, sw, sd,
  addi, slti, sltiu, xori, ori, andi, slli, srli, srai,
  add, sub, sll, slt, sltu, xor_, srl, sra, or_, and_,
  addiw, slliw, srliw, sraiw, addw, subw, sllw, srlw, sraw,
  mul, mulh, mulhsu, mulhu, div, divu, rem, remu,
  mulw, divw, divuw, remw, remuw,
  lr_w, sc_w, amoswap_w, amoadd_w, amoxor_w, amoand_w, amoor_w,
  amomin_w, amomax_w, amominu_w, amomaxu_w,
  lr_d, sc_d, amoswap_d, amoadd_d, amoxor_d, amoand_d, amoor_d,
  amomin_d, amomax_d, amominu_d, amomaxu_d,
  fence, fence_i, ecall, ebreak, mret, wfi,
  csrrw, csrrs, csrrc, csrrwi, csrrsi, csrrci,
};
// clang-format on

inline constexpr int opcode_count = static_cast<int>(opcode::csrrci) + 1;

struct instruction {
  opcode op = opcode::illegal;
  std::uint8_t rd = 0, rs1 = 0, rs2 = 0;  // rs1 of csrr?i is the immediate
  std::uint8_t bytes = 4;
  std::int32_t imm = 0;    // shift amounts and CSR numbers too
  std::uint32_t bits = 0;  // as fetched: 16 of a compressed one
};

// The bits of an atomic instruction: later accesses wait for it, or it for earlier ones.
constexpr bool acquires(const instruction& atomic) {
  return (atomic.bits >> 26 & 1) != 0;
}
constexpr bool releases(const instruction& atomic) {
  return (atomic.bits >> 25 & 1) != 0;
}

// What the cost model tells apart.
enum class instruction_class { alu, mul, div, load, store, branch, jump, atomic, system };

constexpr bool is_between(opcode op, opcode first, opcode last) {
  return first <= op && op <= last;
}

constexpr instruction_class class_of(opcode op) {
  if (op == opcode::jal || op == opcode::jalr) return instruction_class::jump;
  if (is_between(op, opcode::beq, opcode::bgeu)) return instruction_class::branch;
  if (is_between(op, opcode::lb, opcode::lwu)) return instruction_class::load;
  if (is_between(op, opcode::sb, opcode::sd)) return instruction_class::store;
  if (is_between(op, opcode::mul, opcode::mulhu) || op == opcode::mulw)
    return instruction_class::mul;
  if (is_between(op, opcode::div, opcode::remuw)) return instruction_class::div;
  if (is_between(op, opcode::lr_w, opcode::amomaxu_d)) return instruction_class::atomic;
  if (op == opcode::illegal || op >= opcode::fence) return instruction_class::system;
  return instruction_class::alu;
}

// The number in `mcause`.
enum class trap_cause : unsigned {
  fetch_access = 1,
  illegal_instruction = 2,
  breakpoint = 3,
  load_misaligned = 4,
  load_access = 5,
  store_misaligned = 6,
  store_access = 7,
  machine_ecall = 11,
};

enum class interrupt : unsigned { software = 3, timer = 7, external = 11 };

}  // namespace heddle::rv
