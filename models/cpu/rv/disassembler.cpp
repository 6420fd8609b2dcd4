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

// As the enumerators of `opcode`. With a constant operand objdump prints the plain mnemonic.
// clang-format off
constexpr std::array<const char*, opcode_count> mnemonics = {
    "illegal",
    "lui", "auipc", "jal", "jalr",
    "beq", "bne", "blt", "bge", "bltu", "bgeu",
    "lb", "lh", "lw", "ld", "lbu", "lhu", "lwu",
    "sb", "sh", "sw", "sd",
    "add", "slt", "sltu", "xor", "or", "and", "sll", "srl", "sra",
    "add", "sub", "sll", "slt", "sltu", "xor", "srl", "sra", "or", "and",
    "addw", "sllw", "srlw", "sraw", "addw", "subw", "sllw", "srlw", "sraw",
    "mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu",
    "mulw", "divw", "divuw", "remw", "remuw",
    "lr.w", "sc.w", "amoswap.w", "amoadd.w", "amoxor.w", "amoand.w", "amoor.w",
    "amomin.w", "amomax.w", "amominu.w", "amomaxu.w",
    "lr.d", "sc.d", "amoswap.d", "amoadd.d", "amoxor.d", "amoand.d", "amoor.d",
    "amomin.d", "amomax.d", "amominu.d", "amomaxu.d",
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

  const instruction& i_;
  const std::uint64_t pc_;
  const int xlen_;
};

}  // namespace

const char* register_name(unsigned number) {
  return registers[number];
}

disassembly disassemble(const instruction& i, std::uint64_t pc, int xlen) {
  return printer(i, pc, xlen).print();
}

}  // namespace heddle::rv
