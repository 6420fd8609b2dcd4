#include "tests/unit/models/rv/plain_interpreter.hpp"

namespace heddle::rv {
namespace {

__extension__ using wide = __int128;
__extension__ using wide_bits = unsigned __int128;

unsigned bit(std::uint32_t word, int at) {
  return word >> at & 1;
}
unsigned field(std::uint32_t word, int high, int low) {
  return word >> low & ((1U << (high - low + 1)) - 1);
}
std::int64_t signed_field(std::uint64_t value, int width) {
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  return static_cast<std::int64_t>((value ^ sign) - sign);
}

constexpr int illegal = 2;

// Words of the base ISA, for what compressed ones expand to.
std::uint32_t i_word(unsigned op, unsigned f3, unsigned rd, unsigned rs1, unsigned imm) {
  return (imm & 0xfff) << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}
std::uint32_t s_word(unsigned f3, unsigned rs1, unsigned rs2, unsigned imm) {
  return field(imm, 11, 5) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | field(imm, 4, 0) << 7 | 0x23;
}
std::uint32_t r_word(unsigned f7, unsigned f3, unsigned op, unsigned rd, unsigned rs1,
                     unsigned rs2) {
  return f7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}
std::uint32_t b_word(unsigned f3, unsigned rs1, unsigned offset) {
  return bit(offset, 12) << 31 | field(offset, 10, 5) << 25 | rs1 << 15 | f3 << 12 |
         field(offset, 4, 1) << 8 | bit(offset, 11) << 7 | 0x63;
}
std::uint32_t j_word(unsigned rd, unsigned offset) {
  return bit(offset, 20) << 31 | field(offset, 10, 1) << 21 | bit(offset, 11) << 20 |
         field(offset, 19, 12) << 12 | rd << 7 | 0x6f;
}

}  // namespace

bool plain_interpreter::stop(int exception, std::uint64_t about) {
  cause = exception;
  value = about;
  return false;
}

std::int64_t plain_interpreter::fit(std::int64_t wide_value) const {
  return xlen == 64 ? wide_value
                    : signed_field(static_cast<std::uint64_t>(wide_value) & 0xffffffff, 32);
}

std::uint64_t plain_interpreter::bare(std::int64_t value_of_register) const {
  const auto bits = static_cast<std::uint64_t>(value_of_register);
  return xlen == 64 ? bits : bits & 0xffffffff;
}

bool plain_interpreter::holds(std::uint64_t address, unsigned bytes) const {
  return address >= memory_base && address - memory_base + bytes <= memory.size();
}

std::int64_t plain_interpreter::peek(std::uint64_t address, unsigned bytes) const {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < bytes; ++i)
    bits |= std::uint64_t{memory[address - memory_base + i]} << (8 * i);
  return signed_field(bits, static_cast<int>(8 * bytes));
}

void plain_interpreter::poke(std::uint64_t address, unsigned bytes, std::int64_t from) {
  for (unsigned i = 0; i < bytes; ++i)
    memory[address - memory_base + i] =
        static_cast<unsigned char>(static_cast<std::uint64_t>(from) >> (8 * i));
}

bool plain_interpreter::set(unsigned rd, std::int64_t result) {
  if (rd != 0) x[rd] = fit(result);
  return true;
}

bool plain_interpreter::step() {
  if (!holds(pc, 2)) return stop(1, pc);
  const auto low = static_cast<std::uint32_t>(peek(pc, 2) & 0xffff);
  const bool is_short = (low & 3) != 3;
  if (!is_short && !holds(pc + 2, 2)) return stop(1, pc + 2);
  const std::uint32_t word = is_short ? expanded(low) : static_cast<std::uint32_t>(peek(pc, 4));
  here_ = pc;
  pc = bare(static_cast<std::int64_t>(here_ + (is_short ? 2 : 4)));
  if (!execute(word)) {
    if (cause == illegal) value = is_short ? low : word;
    pc = here_;
    return false;
  }
  ++executed;
  return true;
}

// The instruction that the parcel abbreviates; 0, which is illegal, when there is none.
std::uint32_t plain_interpreter::expanded(std::uint32_t p) const {
  const unsigned rd = field(p, 11, 7), rs2 = field(p, 6, 2);
  const unsigned low1 = 8 + field(p, 9, 7), low2 = 8 + field(p, 4, 2);
  const unsigned imm6 = (bit(p, 12) ? 0xfe0U : 0) | rs2;
  const unsigned amount = bit(p, 12) << 5 | rs2;
  const unsigned word_offset = field(p, 12, 10) << 3 | bit(p, 6) << 2 | bit(p, 5) << 6;
  const unsigned double_offset = field(p, 12, 10) << 3 | field(p, 6, 5) << 6;
  const bool is_wide = xlen == 64, fits = is_wide || amount < 32;
  unsigned jump = bit(p, 11) << 4 | field(p, 10, 9) << 8 | bit(p, 8) << 10 | bit(p, 7) << 6 |
                  bit(p, 6) << 7 | field(p, 5, 3) << 1 | bit(p, 2) << 5;
  if (bit(p, 12)) jump |= 0x1ff800;
  unsigned branch =
      field(p, 11, 10) << 3 | field(p, 6, 5) << 6 | field(p, 4, 3) << 1 | bit(p, 2) << 5;
  if (bit(p, 12)) branch |= 0x1f00;
  switch ((p & 3) << 3 | field(p, 15, 13)) {
    case 000: {
      const unsigned imm =
          field(p, 12, 11) << 4 | field(p, 10, 7) << 6 | bit(p, 6) << 2 | bit(p, 5) << 3;
      return imm == 0 ? 0 : i_word(0x13, 0, low2, 2, imm);
    }
    case 002:
      return i_word(0x03, 2, low2, low1, word_offset);
    case 003:
      return is_wide ? i_word(0x03, 3, low2, low1, double_offset) : 0;
    case 006:
      return s_word(2, low1, low2, word_offset);
    case 007:
      return is_wide ? s_word(3, low1, low2, double_offset) : 0;
    case 010:
      return i_word(0x13, 0, rd, rd, imm6);
    case 011:
      if (!is_wide) return j_word(1, jump);
      return rd == 0 ? 0 : i_word(0x1b, 0, rd, rd, imm6);
    case 012:
      return i_word(0x13, 0, rd, 0, imm6);
    case 013: {
      if (rd == 2) {
        const unsigned imm = (bit(p, 12) ? 0xe00U : 0) | bit(p, 6) << 4 | bit(p, 5) << 6 |
                             field(p, 4, 3) << 7 | bit(p, 2) << 5;
        return imm == 0 ? 0 : i_word(0x13, 0, 2, 2, imm);
      }
      const std::uint32_t imm = (bit(p, 12) ? 0xfffe0000U : 0) | rs2 << 12;
      return imm == 0 ? 0 : imm | rd << 7 | 0x37;
    }
    case 014:
      switch (field(p, 11, 10)) {
        case 0:
          return fits ? i_word(0x13, 5, low1, low1, amount) : 0;
        case 1:
          return fits ? i_word(0x13, 5, low1, low1, 0x400 | amount) : 0;
        case 2:
          return i_word(0x13, 7, low1, low1, imm6);
        default:
          break;
      }
      switch (bit(p, 12) << 2 | field(p, 6, 5)) {
        case 0:
          return r_word(0x20, 0, 0x33, low1, low1, low2);
        case 1:
          return r_word(0, 4, 0x33, low1, low1, low2);
        case 2:
          return r_word(0, 6, 0x33, low1, low1, low2);
        case 3:
          return r_word(0, 7, 0x33, low1, low1, low2);
        case 4:
          return is_wide ? r_word(0x20, 0, 0x3b, low1, low1, low2) : 0;
        case 5:
          return is_wide ? r_word(0, 0, 0x3b, low1, low1, low2) : 0;
        default:
          return 0;
      }
    case 015:
      return j_word(0, jump);
    case 016:
      return b_word(0, low1, branch);
    case 017:
      return b_word(1, low1, branch);
    case 020:
      return fits ? i_word(0x13, 1, rd, rd, amount) : 0;
    case 022:
      return rd == 0 ? 0
                     : i_word(0x03, 2, rd, 2,
                              bit(p, 12) << 5 | field(p, 6, 4) << 2 | field(p, 3, 2) << 6);
    case 023:
      return rd == 0 || !is_wide
                 ? 0
                 : i_word(0x03, 3, rd, 2,
                          bit(p, 12) << 5 | field(p, 6, 5) << 3 | field(p, 4, 2) << 6);
    case 024:
      if (rs2 != 0) return r_word(0, 0, 0x33, rd, bit(p, 12) ? rd : 0, rs2);
      if (rd == 0) return bit(p, 12) ? 0x00100073 : 0;
      return i_word(0x67, 0, bit(p, 12), rd, 0);
    case 026:
      return s_word(2, 2, rs2, field(p, 12, 9) << 2 | field(p, 8, 7) << 6);
    case 027:
      return is_wide ? s_word(3, 2, rs2, field(p, 12, 10) << 3 | field(p, 9, 7) << 6) : 0;
    default:
      return 0;
  }
}

bool plain_interpreter::execute(std::uint32_t w) {
  const unsigned rd = field(w, 11, 7), f3 = field(w, 14, 12);
  const std::int64_t a = x[field(w, 19, 15)], b = x[field(w, 24, 20)];
  const std::int64_t imm_i = signed_field(w >> 20, 12);
  const std::uint64_t behind = pc;
  switch (w & 0x7f) {
    case 0x37:
      return set(rd, static_cast<std::int32_t>(w & 0xfffff000));
    case 0x17:
      return set(rd, static_cast<std::int64_t>(here_) + static_cast<std::int32_t>(w & 0xfffff000));
    case 0x6f:
    case 0x67:
    case 0x63: {
      const auto go = [&](std::int64_t offset) {
        pc = bare(static_cast<std::int64_t>(here_ + static_cast<std::uint64_t>(offset)));
      };
      if ((w & 0x7f) == 0x6f) {
        const std::uint64_t offset =
            bit(w, 31) << 20 | field(w, 19, 12) << 12 | bit(w, 20) << 11 | field(w, 30, 21) << 1;
        go(signed_field(offset, 21));
        return set(rd, static_cast<std::int64_t>(behind));
      }
      if ((w & 0x7f) == 0x67) {
        if (f3 != 0) return stop(illegal, 0);
        pc = bare(a + imm_i) & ~std::uint64_t{1};
        return set(rd, static_cast<std::int64_t>(behind));
      }
      const bool conditions[] = {
          a == b, a != b, false, false, a < b, a >= b, bare(a) < bare(b), bare(a) >= bare(b)};
      if (f3 == 2 || f3 == 3) return stop(illegal, 0);
      const std::uint64_t offset =
          bit(w, 31) << 12 | bit(w, 7) << 11 | field(w, 30, 25) << 5 | field(w, 11, 8) << 1;
      if (conditions[f3]) go(signed_field(offset, 13));
      return true;
    }
    case 0x03:
      return load(w);
    case 0x23:
      return store(w);
    case 0x13:
      return compute(w, imm_i, true);
    case 0x33:
      return compute(w, b, false);
    case 0x1b:
      return xlen == 64 ? compute_word(w, imm_i, true) : stop(illegal, 0);
    case 0x3b:
      return xlen == 64 ? compute_word(w, b, false) : stop(illegal, 0);
    case 0x2f:
      return atomic(w);
    case 0x0f:
      return f3 <= 1 || stop(illegal, 0);
    case 0x73:
      if (w == 0x00000073) return stop(11, 0);
      if (w == 0x00100073) return stop(3, here_);
      return stop(illegal, 0);
    default:
      return stop(illegal, 0);
  }
}

bool plain_interpreter::load(std::uint32_t w) {
  const unsigned f3 = field(w, 14, 12);
  const bool exists = f3 <= 2 || f3 == 4 || f3 == 5 || (xlen == 64 && (f3 == 3 || f3 == 6));
  if (!exists) return stop(illegal, 0);
  const std::uint64_t address = bare(x[field(w, 19, 15)] + signed_field(w >> 20, 12));
  const unsigned bytes = 1U << (f3 % 4);
  if (address % bytes != 0) return stop(4, address);
  if (!holds(address, bytes)) return stop(5, address);
  std::int64_t found = peek(address, bytes);
  if (f3 >= 4) found &= static_cast<std::int64_t>((std::uint64_t{1} << (8 * bytes)) - 1);
  return set(field(w, 11, 7), found);
}

bool plain_interpreter::store(std::uint32_t w) {
  const unsigned f3 = field(w, 14, 12);
  if (f3 > 3 || (f3 == 3 && xlen == 32)) return stop(illegal, 0);
  const std::int64_t offset = signed_field(field(w, 31, 25) << 5 | field(w, 11, 7), 12);
  const std::uint64_t address = bare(x[field(w, 19, 15)] + offset);
  const unsigned bytes = 1U << f3;
  if (address % bytes != 0) return stop(6, address);
  if (!holds(address, bytes)) return stop(7, address);
  poke(address, bytes, x[field(w, 24, 20)]);
  return true;
}

bool plain_interpreter::atomic(std::uint32_t w) {
  const unsigned f3 = field(w, 14, 12), rd = field(w, 11, 7), f5 = field(w, 31, 27);
  if (f3 != 2 && !(f3 == 3 && xlen == 64)) return stop(illegal, 0);
  const unsigned bytes = 1U << f3;
  const std::uint64_t address = bare(x[field(w, 19, 15)]);
  const std::int64_t b =
      bytes == 4 ? static_cast<std::int32_t>(x[field(w, 24, 20)]) : x[field(w, 24, 20)];
  const bool is_lr = f5 == 2;
  const bool exists =
      f5 <= 4 || f5 == 8 || f5 == 12 || f5 == 16 || f5 == 20 || f5 == 24 || f5 == 28;
  if (!exists || (is_lr && field(w, 24, 20) != 0)) return stop(illegal, 0);
  if (address % bytes != 0) return stop(is_lr ? 4 : 6, address);
  if (f5 == 3) {
    const bool succeeds = reserved == static_cast<std::int64_t>(address);
    reserved = -1;
    if (succeeds) poke(address, bytes, b);
    return set(rd, succeeds ? 0 : 1);
  }
  if (!holds(address, bytes)) return stop(is_lr ? 5 : 7, address);
  const std::int64_t before = peek(address, bytes);
  if (is_lr) {
    reserved = static_cast<std::int64_t>(address);
    return set(rd, before);
  }
  const auto ua = static_cast<std::uint64_t>(before), ub = static_cast<std::uint64_t>(b);
  std::int64_t after = 0;
  switch (f5) {
    case 0:
      after = static_cast<std::int64_t>(ua + ub);
      break;
    case 1:
      after = b;
      break;
    case 4:
      after = before ^ b;
      break;
    case 8:
      after = before | b;
      break;
    case 12:
      after = before & b;
      break;
    case 16:
      after = before < b ? before : b;
      break;
    case 20:
      after = before < b ? b : before;
      break;
    case 24:
      after = ua < ub ? before : b;
      break;
    default:
      after = ua < ub ? b : before;
      break;
  }
  poke(address, bytes, after);
  return set(rd, before);
}

bool plain_interpreter::compute(std::uint32_t w, std::int64_t b, bool is_immediate) {
  const unsigned rd = field(w, 11, 7), f3 = field(w, 14, 12), f7 = field(w, 31, 25);
  const std::int64_t a = x[field(w, 19, 15)];
  const std::uint64_t ua = bare(a), ub = bare(b);
  const int amount = static_cast<int>(ub & static_cast<unsigned>(xlen - 1));
  if (is_immediate && f3 % 4 == 1) {
    const unsigned above = w >> (xlen == 64 ? 26 : 25), arithmetic = xlen == 64 ? 0x10 : 0x20;
    if (above != 0 && !(f3 == 5 && above == arithmetic)) return stop(illegal, 0);
    if (f3 == 1) return set(rd, static_cast<std::int64_t>(ua << amount));
    return set(rd, above == 0 ? static_cast<std::int64_t>(ua >> amount) : a >> amount);
  }
  const bool is_multiply = !is_immediate && f7 == 1, is_other = !is_immediate && f7 == 0x20;
  if (!is_immediate && !is_multiply && !is_other && f7 != 0) return stop(illegal, 0);
  if (is_other && f3 != 0 && f3 != 5) return stop(illegal, 0);
  if (is_multiply) {
    const wide sa = a, sb = b;
    const auto za = static_cast<wide>(ua), zb = static_cast<wide>(ub);
    switch (f3) {
      case 0:
        return set(rd, static_cast<std::int64_t>(ua * ub));
      case 1:
        return set(rd, static_cast<std::int64_t>(sa * sb >> xlen));
      case 2:
        return set(rd, static_cast<std::int64_t>(sa * zb >> xlen));
      case 3:
        return set(rd, static_cast<std::int64_t>(static_cast<std::uint64_t>(
                           static_cast<wide_bits>(za) * static_cast<wide_bits>(zb) >> xlen)));
      case 4:
        return set(rd, b == 0 ? -1 : static_cast<std::int64_t>(sa / sb));
      case 5:
        return set(rd, ub == 0 ? -1 : static_cast<std::int64_t>(ua / ub));
      case 6:
        return set(rd, b == 0 ? a : static_cast<std::int64_t>(sa % sb));
      default:
        return set(rd, ub == 0 ? a : static_cast<std::int64_t>(ua % ub));
    }
  }
  switch (f3) {
    case 0:
      return set(rd, static_cast<std::int64_t>(is_other ? ua - ub : ua + ub));
    case 1:
      return set(rd, static_cast<std::int64_t>(ua << amount));
    case 2:
      return set(rd, a < b ? 1 : 0);
    case 3:
      return set(rd, ua < ub ? 1 : 0);
    case 4:
      return set(rd, a ^ b);
    case 5:
      return set(rd, is_other ? a >> amount : static_cast<std::int64_t>(ua >> amount));
    case 6:
      return set(rd, a | b);
    default:
      return set(rd, a & b);
  }
}

bool plain_interpreter::compute_word(std::uint32_t w, std::int64_t b, bool is_immediate) {
  const unsigned rd = field(w, 11, 7), f3 = field(w, 14, 12), f7 = field(w, 31, 25);
  const auto ua = static_cast<std::uint32_t>(x[field(w, 19, 15)]);
  const auto ub = static_cast<std::uint32_t>(b);
  const auto sa = static_cast<std::int32_t>(ua), sb = static_cast<std::int32_t>(ub);
  const auto word = [&](std::uint32_t result) {
    return set(rd, static_cast<std::int32_t>(result));
  };
  if (is_immediate && f3 == 0) return word(ua + ub);
  if (f7 == 1 && !is_immediate) {
    switch (f3) {
      case 0:
        return word(ua * ub);
      case 4:
        return word(sb == 0 ? ~0U
                            : static_cast<std::uint32_t>(std::int64_t{sa} / std::int64_t{sb}));
      case 5:
        return word(ub == 0 ? ~0U : ua / ub);
      case 6:
        return word(sb == 0 ? ua : static_cast<std::uint32_t>(std::int64_t{sa} % std::int64_t{sb}));
      case 7:
        return word(ub == 0 ? ua : ua % ub);
      default:
        return stop(illegal, 0);
    }
  }
  if (f7 == 0 && f3 == 0) return word(ua + ub);
  if (f7 == 0x20 && f3 == 0 && !is_immediate) return word(ua - ub);
  if (f7 == 0 && f3 == 1) return word(ua << (ub & 31));
  if (f7 == 0 && f3 == 5) return word(ua >> (ub & 31));
  if (f7 == 0x20 && f3 == 5) return word(static_cast<std::uint32_t>(sa >> (ub & 31)));
  return stop(illegal, 0);
}

}  // namespace heddle::rv
