// The instructions of RV32IMAFDC and RV64IMAFDC with Zicsr and Zifencei, as decoding finds them.
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
  // Of single precision, and in the same order of double precision.
  flw, fsw, fmadd_s, fmsub_s, fnmsub_s, fnmadd_s,
  fadd_s, fsub_s, fmul_s, fdiv_s, fsqrt_s, fsgnj_s, fsgnjn_s, fsgnjx_s, fmin_s, fmax_s,
  feq_s, flt_s, fle_s, fclass_s, fcvt_w_s, fcvt_wu_s, fcvt_l_s, fcvt_lu_s,
  fcvt_s_w, fcvt_s_wu, fcvt_s_l, fcvt_s_lu, fmv_x_w, fmv_w_x,
  fld, fsd, fmadd_d, fmsub_d, fnmsub_d, fnmadd_d,
  fadd_d, fsub_d, fmul_d, fdiv_d, fsqrt_d, fsgnj_d, fsgnjn_d, fsgnjx_d, fmin_d, fmax_d,
  feq_d, flt_d, fle_d, fclass_d, fcvt_w_d, fcvt_wu_d, fcvt_l_d, fcvt_lu_d,
  fcvt_d_w, fcvt_d_wu, fcvt_d_l, fcvt_d_lu, fmv_x_d, fmv_d_x,
  fcvt_s_d, fcvt_d_s,
  fence, fence_i, ecall, ebreak, mret, wfi,
  csrrw, csrrs, csrrc, csrrwi, csrrsi, csrrci,
};
// clang-format on

inline constexpr int opcode_count = static_cast<int>(opcode::csrrci) + 1;

struct instruction {
  opcode op = opcode::illegal;
  std::uint8_t rd = 0, rs1 = 0, rs2 = 0;  // rs1 of csrr?i is the immediate
  std::uint8_t rs3 = 0, rounding = 0;     // of floating point; 7: by frm
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
enum class instruction_class {
  alu,
  mul,
  div,
  load,
  store,
  branch,
  jump,
  atomic,
  system,
  float_simple,  // whatever of F and D is none of the others
  float_long,    // quotients and roots
};
inline constexpr int instruction_classes = static_cast<int>(instruction_class::float_long) + 1;

constexpr bool is_between(opcode op, opcode first, opcode last) {
  return first <= op && op <= last;
}

constexpr bool is_float(opcode op) {
  return is_between(op, opcode::flw, opcode::fcvt_d_s);
}

// The instruction of single precision that does what this one of double precision does.
constexpr opcode single_of(opcode op) {
  constexpr int apart = static_cast<int>(opcode::fld) - static_cast<int>(opcode::flw);
  return static_cast<opcode>(static_cast<int>(op) - apart);
}

constexpr opcode double_of(opcode op) {
  constexpr int apart = static_cast<int>(opcode::fld) - static_cast<int>(opcode::flw);
  return static_cast<opcode>(static_cast<int>(op) + apart);
}

// Whether rd of an instruction of F or D is an integer register.
constexpr bool has_integer_result(opcode op) {
  const opcode as_single = is_between(op, opcode::fld, opcode::fmv_d_x) ? single_of(op) : op;
  return is_between(as_single, opcode::feq_s, opcode::fcvt_lu_s) || as_single == opcode::fmv_x_w;
}

constexpr bool has_integer_operand(opcode op) {
  const opcode as_single = is_between(op, opcode::fld, opcode::fmv_d_x) ? single_of(op) : op;
  return is_between(as_single, opcode::fcvt_s_w, opcode::fcvt_s_lu) || as_single == opcode::fmv_w_x;
}

constexpr instruction_class class_of_float(opcode op) {
  if (op == opcode::flw || op == opcode::fld) return instruction_class::load;
  if (op == opcode::fsw || op == opcode::fsd) return instruction_class::store;
  const bool is_long = op == opcode::fdiv_s || op == opcode::fsqrt_s || op == opcode::fdiv_d ||
                       op == opcode::fsqrt_d;
  return is_long ? instruction_class::float_long : instruction_class::float_simple;
}

constexpr instruction_class class_of(opcode op) {
  if (is_float(op)) return class_of_float(op);
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
