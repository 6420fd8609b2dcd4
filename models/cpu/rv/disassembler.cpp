#include "models/cpu/rv/disassembler.hpp"

#include <fmt/format.h>

#include <array>

#include "models/cpu/rv/bits.hpp"

namespace heddle::rv {
namespace {

constexpr unsigned zero = 0, ra = 1;

constexpr std::array<const char*, 32> registers = {
    "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

constexpr std::array<const char*, 32> float_registers = {
    "ft0", "ft1", "ft2", "ft3", "ft4",  "ft5",  "ft6", "ft7", "fs0",  "fs1", "fa0",
    "fa1", "fa2", "fa3", "fa4", "fa5",  "fa6",  "fa7", "fs2", "fs3",  "fs4", "fs5",
    "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

// By the field of the instruction; the last stands for frm and is not printed.
constexpr std::array<const char*, 7> roundings = {"rne", "rtz", "rdn", "rup", "rmm", "", ""};

// As the enumerators of `opcode`. With a constant operand objdump prints the plain mnemonic.
// clang-format off
constexpr std::array<const char*, opcode_count> mnemonics = {
    "illegal",
    "lui", "auipc", "jal", "jalr",
    "beq", "bne", "blt", "bge", "bltu", "bgeu",
    "lb", "lh", "lw", "ld", "lbu", "lhu", "lwu",
    "sb", "sh", "sw", "sd",
    "add", "slti", "sltiu", "xor", "or", "and", "sll", "srl", "sra",
    "add", "sub", "sll", "slt", "sltu", "xor", "srl", "sra", "or", "and",
    "addw", "sllw", "srlw", "sraw", "addw", "subw", "sllw", "srlw", "sraw",
    "mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu",
    "mulw", "divw", "divuw", "remw", "remuw",
    "lr.w", "sc.w", "amoswap.w", "amoadd.w", "amoxor.w", "amoand.w", "amoor.w",
    "amomin.w", "amomax.w", "amominu.w", "amomaxu.w",
    "lr.d", "sc.d", "amoswap.d", "amoadd.d", "amoxor.d", "amoand.d", "amoor.d",
    "amomin.d", "amomax.d", "amominu.d", "amomaxu.d",
    "flw", "fsw", "fmadd.s", "fmsub.s", "fnmsub.s", "fnmadd.s",
    "fadd.s", "fsub.s", "fmul.s", "fdiv.s", "fsqrt.s", "fsgnj.s", "fsgnjn.s", "fsgnjx.s", "fmin.s",
    "fmax.s", "feq.s", "flt.s", "fle.s", "fclass.s", "fcvt.w.s", "fcvt.wu.s", "fcvt.l.s",
    "fcvt.lu.s", "fcvt.s.w", "fcvt.s.wu", "fcvt.s.l", "fcvt.s.lu", "fmv.x.w", "fmv.w.x",
    "fld", "fsd", "fmadd.d", "fmsub.d", "fnmsub.d", "fnmadd.d",
    "fadd.d", "fsub.d", "fmul.d", "fdiv.d", "fsqrt.d", "fsgnj.d", "fsgnjn.d", "fsgnjx.d", "fmin.d",
    "fmax.d", "feq.d", "flt.d", "fle.d", "fclass.d", "fcvt.w.d", "fcvt.wu.d", "fcvt.l.d",
    "fcvt.lu.d", "fcvt.d.w", "fcvt.d.wu", "fcvt.d.l", "fcvt.d.lu", "fmv.x.d", "fmv.d.x",
    "fcvt.s.d", "fcvt.d.s",
    "fence", "fence.i", "ecall", "ebreak", "mret", "wfi",
    "csrrw", "csrrs", "csrrc", "csrrw", "csrrs", "csrrc"};
// clang-format on

const char* name(unsigned number) {
  return registers[number];
}

class printer {
 public:
  printer(const instruction& i, std::uint64_t pc, int xlen) : i_(i), pc_(pc), xlen_(xlen) {}

  disassembly print() {
    const opcode op = i_.op;
    if (op == opcode::illegal) return word();
    if (op == opcode::lui || op == opcode::auipc)
      return done("{} {},{:#x}", mnemonic(), name(i_.rd), static_cast<std::uint32_t>(i_.imm) >> 12);
    if (op == opcode::jal || op == opcode::jalr) return jump();
    if (is_float(op)) return floating();
    switch (class_of(op)) {
      case instruction_class::branch:
        return branch();
      case instruction_class::load:
        return done("{} {},{}({})", mnemonic(), name(i_.rd), i_.imm, name(i_.rs1));
      case instruction_class::store:
        return done("{} {},{}({})", mnemonic(), name(i_.rs2), i_.imm, name(i_.rs1));
      case instruction_class::atomic:
        return atomic();
      case instruction_class::system:
        return system();
      default:
        return is_between(op, opcode::addi, opcode::srai) ||
                       is_between(op, opcode::addiw, opcode::sraiw)
                   ? with_constant()
                   : with_registers();
    }
  }

 private:
  template <class... Arguments>
  disassembly done(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    return {fmt::format(format, std::forward<Arguments>(arguments)...)};
  }
  const char* mnemonic() const { return mnemonics[static_cast<std::size_t>(i_.op)]; }

  // What is no instruction.
  disassembly word() {
    return i_.bytes == 2 ? done(".short {:#06x}", i_.bits) : done(".word {:#010x}", i_.bits);
  }

  disassembly to(const std::string& text) {
    std::uint64_t target = pc_ + static_cast<std::uint64_t>(static_cast<std::int64_t>(i_.imm));
    if (xlen_ == 32) target = static_cast<std::uint32_t>(target);
    return {fmt::format("{}{:x}", text, target), true, target};
  }

  disassembly jump() {
    if (i_.op == opcode::jal) {
      if (i_.rd == zero) return to("j ");
      return to(i_.rd == ra ? "jal " : fmt::format("jal {},", name(i_.rd)));
    }
    if (i_.rd == zero && i_.rs1 == ra && i_.imm == 0) return {"ret"};
    const std::string target =
        i_.imm == 0 ? name(i_.rs1) : fmt::format("{}({})", i_.imm, name(i_.rs1));
    if (i_.rd == zero) return {"jr " + target};
    if (i_.rd == ra) return {"jalr " + target};
    return done("jalr {},{}", name(i_.rd), target);
  }

  disassembly branch() {
    if (i_.rs2 == zero) {
      const char* shorter = i_.op == opcode::beq   ? "beqz"
                            : i_.op == opcode::bne ? "bnez"
                            : i_.op == opcode::bge ? "bgez"
                            : i_.op == opcode::blt ? "bltz"
                                                   : nullptr;
      if (shorter) return to(fmt::format("{} {},", shorter, name(i_.rs1)));
    }
    if (i_.rs1 == zero && (i_.op == opcode::bge || i_.op == opcode::blt))
      return to(fmt::format("{} {},", i_.op == opcode::bge ? "blez" : "bgtz", name(i_.rs2)));
    return to(fmt::format("{} {},{},", mnemonic(), name(i_.rs1), name(i_.rs2)));
  }

  disassembly with_constant() {
    const char* const rd = name(i_.rd);
    const char* const rs1 = name(i_.rs1);
    if (i_.op == opcode::addi) {
      if (i_.rd == zero && i_.rs1 == zero && i_.imm == 0) return {"nop"};
      if (i_.rs1 == zero) return done("li {},{}", rd, i_.imm);
      if (i_.imm == 0) return done("mv {},{}", rd, rs1);
    }
    if (i_.op == opcode::addiw && i_.imm == 0) return done("sext.w {},{}", rd, rs1);
    if (i_.op == opcode::xori && i_.imm == -1) return done("not {},{}", rd, rs1);
    if (i_.op == opcode::sltiu && i_.imm == 1) return done("seqz {},{}", rd, rs1);
    const bool is_compressed = i_.bytes == 2;
    if (i_.op == opcode::andi && i_.imm == 255 && !is_compressed)
      return done("zext.b {},{}", rd, rs1);
    const bool is_shift = is_between(i_.op, opcode::slli, opcode::srai) ||
                          is_between(i_.op, opcode::slliw, opcode::sraiw);
    if (is_shift) return done("{} {},{},{:#x}", mnemonic(), rd, rs1, i_.imm);
    return done("{} {},{},{}", mnemonic(), rd, rs1, i_.imm);
  }

  disassembly with_registers() {
    const char* const rd = name(i_.rd);
    const char* const rs1 = name(i_.rs1);
    const char* const rs2 = name(i_.rs2);
    const bool is_compressed = i_.bytes == 2;
    if (i_.rs1 == zero) {
      if (i_.op == opcode::add && is_compressed) return done("mv {},{}", rd, rs2);
      if (i_.op == opcode::sub) return done("neg {},{}", rd, rs2);
      if (i_.op == opcode::subw) return done("negw {},{}", rd, rs2);
      if (i_.op == opcode::sltu) return done("snez {},{}", rd, rs2);
      if (i_.op == opcode::slt && i_.rs2 != zero) return done("sgtz {},{}", rd, rs2);
    }
    if (i_.op == opcode::slt && i_.rs2 == zero) return done("sltz {},{}", rd, rs1);
    return done("{} {},{},{}", mnemonic(), rd, rs1, rs2);
  }

  disassembly floating() {
    const opcode op = i_.op;
    const char* const rd = has_integer_result(op) ? name(i_.rd) : float_registers[i_.rd];
    const char* const rs1 = has_integer_operand(op) ? name(i_.rs1) : float_registers[i_.rs1];
    const char* const rs2 = float_registers[i_.rs2];
    if (op == opcode::flw || op == opcode::fld)
      return done("{} {},{}({})", mnemonic(), rd, i_.imm, name(i_.rs1));
    if (op == opcode::fsw || op == opcode::fsd)
      return done("{} {},{}({})", mnemonic(), rs2, i_.imm, name(i_.rs1));
    const opcode as_single = is_between(op, opcode::fld, opcode::fmv_d_x) ? single_of(op) : op;
    if (i_.rs1 == i_.rs2 && is_between(as_single, opcode::fsgnj_s, opcode::fsgnjx_s)) {
      constexpr std::array<const char*, 3> shorter = {"fmv", "fneg", "fabs"};
      const auto which =
          static_cast<std::size_t>(as_single) - static_cast<std::size_t>(opcode::fsgnj_s);
      return done("{}.{} {},{}", shorter[which], as_single == op ? 's' : 'd', rd, rs1);
    }
    std::string operands = fmt::format("{},{}", rd, rs1);
    if (is_between(as_single, opcode::fmadd_s, opcode::fdiv_s) ||
        is_between(as_single, opcode::fsgnj_s, opcode::fle_s))
      operands += fmt::format(",{}", rs2);
    if (is_between(as_single, opcode::fmadd_s, opcode::fnmadd_s))
      operands += fmt::format(",{}", float_registers[i_.rs3]);
    return {fmt::format("{} {}{}", mnemonic(), operands, rounding(as_single))};
  }

  // Where the result is exact in every mode, objdump prints none.
  std::string rounding(opcode as_single) const {
    constexpr unsigned dynamic = 7;
    const bool rounds = is_between(as_single, opcode::fmadd_s, opcode::fsqrt_s) ||
                        is_between(as_single, opcode::fcvt_w_s, opcode::fcvt_s_lu) ||
                        as_single == opcode::fcvt_s_d;
    const bool is_exact =
        i_.op == opcode::fcvt_d_w || i_.op == opcode::fcvt_d_wu || i_.op == opcode::fcvt_d_s;
    if (!rounds || is_exact || i_.rounding == dynamic) return "";
    return std::string(",") + roundings[i_.rounding];
  }

  disassembly atomic() {
    static constexpr std::array<const char*, 4> orders = {"", ".rl", ".aq", ".aqrl"};
    const char* const order = orders[bits_of(i_.bits, 26, 25)];
    if (i_.op == opcode::lr_w || i_.op == opcode::lr_d)
      return done("{}{} {},({})", mnemonic(), order, name(i_.rd), name(i_.rs1));
    return done("{}{} {},{},({})", mnemonic(), order, name(i_.rd), name(i_.rs2), name(i_.rs1));
  }

  disassembly system() {
    if (is_between(i_.op, opcode::csrrw, opcode::csrrci)) return csr();
    return i_.op == opcode::fence ? fence() : disassembly{mnemonic()};
  }

  static std::string accesses(std::uint32_t bits) {
    constexpr const char* letters = "wroi";  // from bit 0
    std::string text;
    for (int bit = 3; bit >= 0; --bit)
      if ((bits >> bit & 1) != 0) text += letters[bit];
    return text.empty() ? "unknown" : text;
  }

  disassembly fence() {
    const std::uint32_t before = bits_of(i_.bits, 27, 24), after = bits_of(i_.bits, 23, 20);
    if (i_.bits == 0x8330000f) return {"fence.tso"};
    constexpr std::uint32_t all = 0xf;
    if (before == all && after == all) return {"fence"};
    return done("fence {},{}", accesses(before), accesses(after));
  }

  disassembly csr() {
    const auto number = static_cast<unsigned>(i_.imm);
    const std::string which = csr_name(number);
    const bool is_immediate = i_.op >= opcode::csrrwi;
    const std::string operand = is_immediate ? std::to_string(i_.rs1) : name(i_.rs1);
    if (const std::string text = float_csr(number, operand); !text.empty()) return {text};
    if (i_.op == opcode::csrrs && i_.rs1 == zero) {
      constexpr unsigned cycle = 0xc00, time = 0xc01, instret = 0xc02;
      if (number == cycle || number == time || number == instret)
        return done("rd{} {}", which, name(i_.rd));
      return done("csrr {},{}", name(i_.rd), which);
    }
    if (i_.rd == zero) {
      const std::string shorter = std::string(mnemonic()).erase(3, 1);  // "csrrw": "csrw"
      return done("{} {},{}", shorter, which, operand);
    }
    return done("{} {},{},{}", mnemonic(), name(i_.rd), which, operand);
  }

  // "frflags", "fsrm" and so on; "" where there is no such name.
  std::string float_csr(unsigned number, const std::string& operand) const {
    constexpr std::array<const char*, 4> names = {"", "flags", "rm", "csr"};
    if (number == 0 || number >= names.size()) return "";
    const std::string which = names[number];
    if (i_.op == opcode::csrrs && i_.rs1 == zero) return fmt::format("fr{} {}", which, name(i_.rd));
    const bool is_immediate = i_.op == opcode::csrrwi && which != "csr";
    if (i_.op != opcode::csrrw && !is_immediate) return "";
    const std::string before = i_.rd == zero ? "" : fmt::format("{},", name(i_.rd));
    return fmt::format("fs{}{} {}{}", which, is_immediate ? "i" : "", before, operand);
  }

  const instruction& i_;
  const std::uint64_t pc_;
  const int xlen_;
};

}  // namespace

const char* register_name(unsigned number) {
  return registers[number];
}

const char* float_register_name(unsigned number) {
  return float_registers[number];
}

disassembly disassemble(const instruction& i, std::uint64_t pc, int xlen) {
  return printer(i, pc, xlen).print();
}

}  // namespace heddle::rv
