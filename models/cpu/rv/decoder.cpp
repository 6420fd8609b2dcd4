#include "models/cpu/rv/decoder.hpp"

#include "models/cpu/rv/bits.hpp"

namespace heddle::rv {
namespace {

struct fields {
  std::uint32_t word;
  int xlen;

  std::uint32_t funct3() const { return bits_of(word, 14, 12); }
  std::uint32_t funct7() const { return bits_of(word, 31, 25); }
  std::int32_t imm_i() const { return sign_extended(bits_of(word, 31, 20), 12); }
  std::int32_t imm_s() const {
    return sign_extended(bits_of(word, 31, 25) << 5 | bits_of(word, 11, 7), 12);
  }
  std::int32_t imm_b() const {
    return sign_extended(bits_of(word, 31, 31) << 12 | bits_of(word, 7, 7) << 11 |
                             bits_of(word, 30, 25) << 5 | bits_of(word, 11, 8) << 1,
                         13);
  }
  std::int32_t imm_u() const { return static_cast<std::int32_t>(word & 0xfffff000); }
  std::int32_t imm_j() const {
    return sign_extended(bits_of(word, 31, 31) << 20 | bits_of(word, 19, 12) << 12 |
                             bits_of(word, 20, 20) << 11 | bits_of(word, 30, 21) << 1,
                         21);
  }
};

opcode choose(const opcode (&table)[8], const fields& f) {
  return table[f.funct3()];
}

constexpr opcode none = opcode::illegal;

opcode load_op(const fields& f) {
  constexpr opcode wide[] = {opcode::lb,  opcode::lh,  opcode::lw,  opcode::ld,
                             opcode::lbu, opcode::lhu, opcode::lwu, none};
  constexpr opcode narrow[] = {opcode::lb,  opcode::lh,  opcode::lw, none,
                               opcode::lbu, opcode::lhu, none,       none};
  return f.xlen == 64 ? choose(wide, f) : choose(narrow, f);
}

opcode store_op(const fields& f) {
  constexpr opcode table[] = {opcode::sb, opcode::sh, opcode::sw, opcode::sd,
                              none,       none,       none,       none};
  return f.xlen == 32 && f.funct3() == 3 ? none : choose(table, f);
}

opcode branch_op(const fields& f) {
  constexpr opcode table[] = {opcode::beq, opcode::bne, none,         none,
                              opcode::blt, opcode::bge, opcode::bltu, opcode::bgeu};
  return choose(table, f);
}

// Shifts by a constant: the bits above the amount say which.
opcode shift_op(const fields& f, int amount_bits, opcode left, opcode right, opcode arithmetic) {
  const std::uint32_t above = f.word >> (20 + amount_bits);
  const std::uint32_t arithmetic_bits = 0x40000000U >> (20 + amount_bits);
  if (f.funct3() == 1) return above == 0 ? left : none;
  return above == 0 ? right : above == arithmetic_bits ? arithmetic : none;
}

opcode immediate_op(const fields& f) {
  constexpr opcode table[] = {opcode::addi, none, opcode::slti, opcode::sltiu,
                              opcode::xori, none, opcode::ori,  opcode::andi};
  if (f.funct3() % 4 == 1)
    return shift_op(f, f.xlen == 64 ? 6 : 5, opcode::slli, opcode::srli, opcode::srai);
  return choose(table, f);
}

opcode immediate_word_op(const fields& f) {
  if (f.xlen == 32) return none;
  if (f.funct3() == 0) return opcode::addiw;
  if (f.funct3() % 4 == 1) return shift_op(f, 5, opcode::slliw, opcode::srliw, opcode::sraiw);
  return none;
}

using opcode_group = opcode[8];  // by funct3

// Operations on two registers come in groups, told apart by funct7.
opcode choose_by_group(const opcode_group& base, const opcode_group& other,
                       const opcode_group& multiply, const fields& f) {
  switch (f.funct7()) {
    case 0x00:
      return choose(base, f);
    case 0x20:
      return choose(other, f);
    case 0x01:
      return choose(multiply, f);
    default:
      return none;
  }
}

opcode register_op(const fields& f) {
  constexpr opcode base[] = {opcode::add,  opcode::sll, opcode::slt, opcode::sltu,
                             opcode::xor_, opcode::srl, opcode::or_, opcode::and_};
  constexpr opcode other[] = {opcode::sub, none, none, none, none, opcode::sra, none, none};
  constexpr opcode multiply[] = {opcode::mul, opcode::mulh, opcode::mulhsu, opcode::mulhu,
                                 opcode::div, opcode::divu, opcode::rem,    opcode::remu};
  return choose_by_group(base, other, multiply, f);
}

opcode register_word_op(const fields& f) {
  constexpr opcode base[] = {opcode::addw, opcode::sllw, none, none,
                             none,         opcode::srlw, none, none};
  constexpr opcode other[] = {opcode::subw, none, none, none, none, opcode::sraw, none, none};
  constexpr opcode multiply[] = {opcode::mulw, none,          none,         none,
                                 opcode::divw, opcode::divuw, opcode::remw, opcode::remuw};
  if (f.xlen == 32) return none;
  return choose_by_group(base, other, multiply, f);
}

opcode atomic_op(const fields& f) {
  const bool is_double = f.funct3() == 3;
  if (f.funct3() != 2 && !(is_double && f.xlen == 64)) return none;
  const auto at = [&](opcode word) {
    constexpr int apart = static_cast<int>(opcode::lr_d) - static_cast<int>(opcode::lr_w);
    return static_cast<opcode>(static_cast<int>(word) + (is_double ? apart : 0));
  };
  switch (bits_of(f.word, 31, 27)) {
    case 0x00:
      return at(opcode::amoadd_w);
    case 0x01:
      return at(opcode::amoswap_w);
    case 0x02:
      return bits_of(f.word, 24, 20) == 0 ? at(opcode::lr_w) : none;
    case 0x03:
      return at(opcode::sc_w);
    case 0x04:
      return at(opcode::amoxor_w);
    case 0x08:
      return at(opcode::amoor_w);
    case 0x0c:
      return at(opcode::amoand_w);
    case 0x10:
      return at(opcode::amomin_w);
    case 0x14:
      return at(opcode::amomax_w);
    case 0x18:
      return at(opcode::amominu_w);
    case 0x1c:
      return at(opcode::amomaxu_w);
    default:
      return none;
  }
}

opcode system_op(const fields& f) {
  constexpr opcode table[] = {none, opcode::csrrw,  opcode::csrrs,  opcode::csrrc,
                              none, opcode::csrrwi, opcode::csrrsi, opcode::csrrci};
  switch (f.word) {
    case 0x00000073:
      return opcode::ecall;
    case 0x00100073:
      return opcode::ebreak;
    case 0x30200073:
      return opcode::mret;
    case 0x10500073:
      return opcode::wfi;
    default:
      return choose(table, f);
  }
}

opcode fence_op(const fields& f) {
  return f.funct3() == 0 ? opcode::fence : f.funct3() == 1 ? opcode::fence_i : none;
}

std::int32_t shift_amount(const fields& f) {
  return static_cast<std::int32_t>(bits_of(f.word, 25, 20));
}

}  // namespace

instruction decode(std::uint32_t bits, int xlen) {
  if (is_compressed(bits)) return decode_compressed(static_cast<std::uint16_t>(bits), xlen);
  const fields f{bits, xlen};
  instruction i;
  i.bits = bits;
  i.rd = static_cast<std::uint8_t>(bits_of(bits, 11, 7));
  i.rs1 = static_cast<std::uint8_t>(bits_of(bits, 19, 15));
  i.rs2 = static_cast<std::uint8_t>(bits_of(bits, 24, 20));
  const auto is = [&i](opcode op, std::int32_t imm) {
    i.op = op;
    i.imm = imm;
  };
  const bool is_shift = f.funct3() % 4 == 1;
  if (const opcode op = decode_float(bits, xlen, i); op != none) {
    i.op = op;
    return i;
  }
  switch (bits_of(bits, 6, 0)) {
    case 0x03:
      is(load_op(f), f.imm_i());
      break;
    case 0x0f:
      is(fence_op(f), 0);
      break;
    case 0x13:
      is(immediate_op(f), is_shift ? shift_amount(f) : f.imm_i());
      break;
    case 0x17:
      is(opcode::auipc, f.imm_u());
      break;
    case 0x1b:
      is(immediate_word_op(f), is_shift ? shift_amount(f) : f.imm_i());
      break;
    case 0x23:
      is(store_op(f), f.imm_s());
      break;
    case 0x2f:
      is(atomic_op(f), 0);
      break;
    case 0x33:
      is(register_op(f), 0);
      break;
    case 0x37:
      is(opcode::lui, f.imm_u());
      break;
    case 0x3b:
      is(register_word_op(f), 0);
      break;
    case 0x63:
      is(branch_op(f), f.imm_b());
      break;
    case 0x67:
      is(f.funct3() == 0 ? opcode::jalr : none, f.imm_i());
      break;
    case 0x6f:
      is(opcode::jal, f.imm_j());
      break;
    case 0x73:
      is(system_op(f), static_cast<std::int32_t>(bits_of(bits, 31, 20)));
      break;
    default:
      break;
  }
  return i;
}

}  // namespace heddle::rv
