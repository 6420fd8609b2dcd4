#include "models/cpu/rv/bits.hpp"
#include "models/cpu/rv/decoder.hpp"

namespace heddle::rv {
namespace {

constexpr opcode none = opcode::illegal;
constexpr unsigned single = 0, twofold = 1;  // the format field; other values are of Zfh and Q

struct fields {
  std::uint32_t word;
  int xlen;

  unsigned format() const { return bits_of(word, 26, 25); }
  unsigned function() const { return bits_of(word, 31, 27); }
  unsigned funct3() const { return bits_of(word, 14, 12); }
  unsigned rs2() const { return bits_of(word, 24, 20); }
  bool is_reserved_rounding() const { return funct3() == 5 || funct3() == 6; }
};

opcode sign_op(const fields& f) {
  constexpr opcode table[] = {
      opcode::fsgnj_s, opcode::fsgnjn_s, opcode::fsgnjx_s, none, none, none, none, none};
  return table[f.funct3()];
}

opcode extreme_op(const fields& f) {
  return f.funct3() == 0 ? opcode::fmin_s : f.funct3() == 1 ? opcode::fmax_s : none;
}

opcode compare_op(const fields& f) {
  constexpr opcode table[] = {opcode::fle_s, opcode::flt_s, opcode::feq_s, none,
                              none,          none,          none,          none};
  return table[f.funct3()];
}

opcode to_integer_op(const fields& f) {
  constexpr opcode table[] = {opcode::fcvt_w_s, opcode::fcvt_wu_s, opcode::fcvt_l_s,
                              opcode::fcvt_lu_s};
  return f.rs2() < (f.xlen == 64 ? 4U : 2U) ? table[f.rs2()] : none;
}

opcode from_integer_op(const fields& f) {
  constexpr opcode table[] = {opcode::fcvt_s_w, opcode::fcvt_s_wu, opcode::fcvt_s_l,
                              opcode::fcvt_s_lu};
  return f.rs2() < (f.xlen == 64 ? 4U : 2U) ? table[f.rs2()] : none;
}

// Registers of the integer side are too narrow for a double on RV32.
bool moves_whole(const fields& f) {
  return f.rs2() == 0 && (f.format() == single || f.xlen == 64);
}

opcode to_bits_op(const fields& f) {
  if (f.funct3() == 1) return f.rs2() == 0 ? opcode::fclass_s : none;
  return f.funct3() == 0 && moves_whole(f) ? opcode::fmv_x_w : none;
}

// Operations that round, given as those of single precision.
opcode rounding_op(const fields& f) {
  switch (f.function()) {
    case 0x00:
      return opcode::fadd_s;
    case 0x01:
      return opcode::fsub_s;
    case 0x02:
      return opcode::fmul_s;
    case 0x03:
      return opcode::fdiv_s;
    case 0x0b:
      return f.rs2() == 0 ? opcode::fsqrt_s : none;
    case 0x18:
      return to_integer_op(f);
    case 0x1a:
      return from_integer_op(f);
    default:
      return none;
  }
}

opcode exact_op(const fields& f) {
  switch (f.function()) {
    case 0x04:
      return sign_op(f);
    case 0x05:
      return extreme_op(f);
    case 0x14:
      return compare_op(f);
    case 0x1c:
      return to_bits_op(f);
    case 0x1e:
      return f.funct3() == 0 && moves_whole(f) ? opcode::fmv_w_x : none;
    default:
      return none;
  }
}

opcode of_format(opcode as_single, const fields& f) {
  if (as_single == none || f.format() > twofold) return none;
  return f.format() == single ? as_single : double_of(as_single);
}

opcode conversion_op(const fields& f) {
  if (f.format() == single && f.rs2() == twofold) return opcode::fcvt_s_d;
  return f.format() == twofold && f.rs2() == single ? opcode::fcvt_d_s : none;
}

opcode computing_op(const fields& f, instruction& i) {
  constexpr unsigned between_formats = 0x08;
  if (const opcode op = exact_op(f); op != none) return of_format(op, f);
  if (f.is_reserved_rounding()) return none;
  i.rounding = static_cast<std::uint8_t>(f.funct3());
  return f.function() == between_formats ? conversion_op(f) : of_format(rounding_op(f), f);
}

opcode fused_op(opcode as_single, const fields& f, instruction& i) {
  if (f.is_reserved_rounding()) return none;
  i.rounding = static_cast<std::uint8_t>(f.funct3());
  i.rs3 = static_cast<std::uint8_t>(f.function());
  return of_format(as_single, f);
}

opcode memory_op(opcode as_single, const fields& f, std::int32_t offset, instruction& i) {
  constexpr unsigned words = 2, doubles = 3;
  i.imm = offset;
  return f.funct3() == words ? as_single : f.funct3() == doubles ? double_of(as_single) : none;
}

}  // namespace

opcode decode_float(std::uint32_t bits, int xlen, instruction& i) {
  const fields f{bits, xlen};
  switch (bits_of(bits, 6, 0)) {
    case 0x07:
      return memory_op(opcode::flw, f, sign_extended(bits_of(bits, 31, 20), 12), i);
    case 0x27:
      return memory_op(opcode::fsw, f,
                       sign_extended(bits_of(bits, 31, 25) << 5 | bits_of(bits, 11, 7), 12), i);
    case 0x43:
      return fused_op(opcode::fmadd_s, f, i);
    case 0x47:
      return fused_op(opcode::fmsub_s, f, i);
    case 0x4b:
      return fused_op(opcode::fnmsub_s, f, i);
    case 0x4f:
      return fused_op(opcode::fnmadd_s, f, i);
    case 0x53:
      return computing_op(f, i);
    default:
      return none;
  }
}

}  // namespace heddle::rv
