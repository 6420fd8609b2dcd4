#include "models/cpu/rv/bits.hpp"
#include "models/cpu/rv/decoder.hpp"

namespace heddle::rv {
namespace {

constexpr std::uint8_t ra = 1, sp = 2;

// One group of bits of an immediate: where it lies in the instruction, and where it goes.
struct piece {
  int high, low, to;
};

struct parcel {
  std::uint32_t word;
  int xlen;

  std::uint8_t rd() const { return static_cast<std::uint8_t>(bits_of(word, 11, 7)); }
  std::uint8_t rs2() const { return static_cast<std::uint8_t>(bits_of(word, 6, 2)); }
  // The eight popular registers.
  std::uint8_t short_rs1() const { return static_cast<std::uint8_t>(8 + bits_of(word, 9, 7)); }
  std::uint8_t short_rs2() const { return static_cast<std::uint8_t>(8 + bits_of(word, 4, 2)); }

  template <int count>
  std::uint32_t gather(const piece (&pieces)[count]) const {
    std::uint32_t value = 0;
    for (const piece& each : pieces) value |= bits_of(word, each.high, each.low) << each.to;
    return value;
  }
  std::int32_t imm6() const { return sign_extended(gather<2>({{12, 12, 5}, {6, 2, 0}}), 6); }
  std::uint32_t word_offset() const { return gather<3>({{12, 10, 3}, {6, 6, 2}, {5, 5, 6}}); }
  std::uint32_t double_offset() const { return gather<2>({{12, 10, 3}, {6, 5, 6}}); }
  std::uint32_t stack_word_load() const { return gather<3>({{12, 12, 5}, {6, 4, 2}, {3, 2, 6}}); }
  std::uint32_t stack_double_load() const { return gather<3>({{12, 12, 5}, {6, 5, 3}, {4, 2, 6}}); }
  std::uint32_t stack_word_store() const { return gather<2>({{12, 9, 2}, {8, 7, 6}}); }
  std::uint32_t stack_double_store() const { return gather<2>({{12, 10, 3}, {9, 7, 6}}); }
  std::int32_t jump_offset() const {
    return sign_extended(gather<8>({{12, 12, 11},
                                    {11, 11, 4},
                                    {10, 9, 8},
                                    {8, 8, 10},
                                    {7, 7, 6},
                                    {6, 6, 7},
                                    {5, 3, 1},
                                    {2, 2, 5}}),
                         12);
  }
  std::int32_t branch_offset() const {
    return sign_extended(gather<5>({{12, 12, 8}, {11, 10, 3}, {6, 5, 6}, {4, 3, 1}, {2, 2, 5}}), 9);
  }
};

instruction make(opcode op, std::uint8_t rd, std::uint8_t rs1, std::uint8_t rs2, std::int64_t imm) {
  instruction i;
  i.op = op;
  i.rd = rd;
  i.rs1 = rs1;
  i.rs2 = rs2;
  i.imm = static_cast<std::int32_t>(imm);
  return i;
}

const instruction illegal;

instruction quadrant0(const parcel& p) {
  switch (bits_of(p.word, 15, 13)) {
    case 0: {  // c.addi4spn
      const std::uint32_t imm = p.gather<4>({{12, 11, 4}, {10, 7, 6}, {6, 6, 2}, {5, 5, 3}});
      return imm == 0 ? illegal : make(opcode::addi, p.short_rs2(), sp, 0, imm);
    }
    case 1:
      return make(opcode::fld, p.short_rs2(), p.short_rs1(), 0, p.double_offset());
    case 2:
      return make(opcode::lw, p.short_rs2(), p.short_rs1(), 0, p.word_offset());
    case 3:
      if (p.xlen == 32) return make(opcode::flw, p.short_rs2(), p.short_rs1(), 0, p.word_offset());
      return make(opcode::ld, p.short_rs2(), p.short_rs1(), 0, p.double_offset());
    case 5:
      return make(opcode::fsd, 0, p.short_rs1(), p.short_rs2(), p.double_offset());
    case 6:
      return make(opcode::sw, 0, p.short_rs1(), p.short_rs2(), p.word_offset());
    case 7:
      if (p.xlen == 32) return make(opcode::fsw, 0, p.short_rs1(), p.short_rs2(), p.word_offset());
      return make(opcode::sd, 0, p.short_rs1(), p.short_rs2(), p.double_offset());
    default:
      return illegal;
  }
}

instruction arithmetic(const parcel& p) {
  const std::uint8_t r = p.short_rs1();
  const std::uint32_t amount = p.gather<2>({{12, 12, 5}, {6, 2, 0}});
  const bool is_too_far = p.xlen == 32 && amount >= 32;
  switch (bits_of(p.word, 11, 10)) {
    case 0:
      return is_too_far ? illegal : make(opcode::srli, r, r, 0, amount);
    case 1:
      return is_too_far ? illegal : make(opcode::srai, r, r, 0, amount);
    case 2:
      return make(opcode::andi, r, r, 0, p.imm6());
    default:
      break;
  }
  constexpr opcode full[] = {opcode::sub, opcode::xor_, opcode::or_, opcode::and_};
  constexpr opcode word[] = {opcode::subw, opcode::addw, opcode::illegal, opcode::illegal};
  const bool is_word = bits_of(p.word, 12, 12) == 1;
  if (is_word && p.xlen == 32) return illegal;
  return make((is_word ? word : full)[bits_of(p.word, 6, 5)], r, r, p.short_rs2(), 0);
}

instruction quadrant1(const parcel& p) {
  const std::uint8_t rd = p.rd();
  switch (bits_of(p.word, 15, 13)) {
    case 0:
      return make(opcode::addi, rd, rd, 0, p.imm6());
    case 1:
      if (p.xlen == 32) return make(opcode::jal, ra, 0, 0, p.jump_offset());
      return rd == 0 ? illegal : make(opcode::addiw, rd, rd, 0, p.imm6());
    case 2:
      return make(opcode::addi, rd, 0, 0, p.imm6());
    case 3: {
      if (rd == sp) {  // c.addi16sp
        const std::int32_t imm = sign_extended(
            p.gather<5>({{12, 12, 9}, {6, 6, 4}, {5, 5, 6}, {4, 3, 7}, {2, 2, 5}}), 10);
        return imm == 0 ? illegal : make(opcode::addi, sp, sp, 0, imm);
      }
      const std::int32_t imm = sign_extended(p.gather<2>({{12, 12, 17}, {6, 2, 12}}), 18);
      return imm == 0 ? illegal : make(opcode::lui, rd, 0, 0, imm);
    }
    case 4:
      return arithmetic(p);
    case 5:
      return make(opcode::jal, 0, 0, 0, p.jump_offset());
    case 6:
      return make(opcode::beq, 0, p.short_rs1(), 0, p.branch_offset());
    default:
      return make(opcode::bne, 0, p.short_rs1(), 0, p.branch_offset());
  }
}

instruction jump_or_move(const parcel& p) {
  const std::uint8_t rd = p.rd(), rs2 = p.rs2();
  const bool is_second = bits_of(p.word, 12, 12) == 1;
  if (rs2 != 0) return make(opcode::add, rd, is_second ? rd : std::uint8_t{0}, rs2, 0);
  if (rd == 0) return is_second ? make(opcode::ebreak, 0, 0, 0, 0) : illegal;
  return make(opcode::jalr, is_second ? ra : std::uint8_t{0}, rd, 0, 0);
}

instruction quadrant2(const parcel& p) {
  const std::uint8_t rd = p.rd();
  switch (bits_of(p.word, 15, 13)) {
    case 0: {
      const std::uint32_t amount = p.gather<2>({{12, 12, 5}, {6, 2, 0}});
      if (p.xlen == 32 && amount >= 32) return illegal;
      return make(opcode::slli, rd, rd, 0, amount);
    }
    case 1:
      return make(opcode::fld, rd, sp, 0, p.stack_double_load());
    case 2:
      if (rd == 0) return illegal;
      return make(opcode::lw, rd, sp, 0, p.stack_word_load());
    case 3:
      if (p.xlen == 32) return make(opcode::flw, rd, sp, 0, p.stack_word_load());
      if (rd == 0) return illegal;
      return make(opcode::ld, rd, sp, 0, p.stack_double_load());
    case 4:
      return jump_or_move(p);
    case 5:
      return make(opcode::fsd, 0, sp, p.rs2(), p.stack_double_store());
    case 6:
      return make(opcode::sw, 0, sp, p.rs2(), p.stack_word_store());
    default:
      if (p.xlen == 32) return make(opcode::fsw, 0, sp, p.rs2(), p.stack_word_store());
      return make(opcode::sd, 0, sp, p.rs2(), p.stack_double_store());
  }
}

}  // namespace

instruction decode_compressed(std::uint16_t bits, int xlen) {
  const parcel p{bits, xlen};
  instruction i;
  switch (bits & 3) {
    case 0:
      i = quadrant0(p);
      break;
    case 1:
      i = quadrant1(p);
      break;
    default:
      i = quadrant2(p);
      break;
  }
  i.bytes = 2;
  i.bits = bits;
  return i;
}

}  // namespace heddle::rv
