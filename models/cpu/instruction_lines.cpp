#include "models/cpu/instruction_lines.hpp"

#include <fmt/format.h>

#include "models/cpu/rv/atomic_opcodes.hpp"
#include "models/cpu/rv/cause_names.hpp"
#include "models/cpu/rv/disassembler.hpp"

namespace heddle {
namespace {

using rv::instruction_class;
using rv::opcode;

bool writes_float(const rv::instruction& i) {
  return rv::is_float(i.op) && rv::class_of(i.op) != instruction_class::store &&
         !rv::has_integer_result(i.op);
}

bool is_csr_access(opcode op) {
  return rv::is_between(op, opcode::csrrw, opcode::csrrci);
}

// Those that set or clear bits write nothing where they name no bits.
bool writes_csr(const rv::instruction& i) {
  const bool is_swap = i.op == opcode::csrrw || i.op == opcode::csrrwi;
  return is_csr_access(i.op) && (is_swap || i.rs1 != 0);
}

bool writes_register(const rv::instruction& i) {
  if (rv::is_float(i.op)) return rv::has_integer_result(i.op) && i.rd != 0;
  const instruction_class c = rv::class_of(i.op);
  return i.rd != 0 && c != instruction_class::branch && c != instruction_class::store &&
         (c != instruction_class::system || is_csr_access(i.op));
}

unsigned bytes_of_store(opcode op) {
  return op == opcode::sb                        ? 1
         : op == opcode::sh                      ? 2
         : op == opcode::sw || op == opcode::fsw ? 4
                                                 : 8;
}

}  // namespace

instruction_lines::instruction_lines(instruction_log& log, const std::string& core,
                                     rv::any_hart& hart, const symbol_table& symbols, fs_t cycle)
    : log_(log), core_(core), hart_(hart), symbols_(symbols), cycle_(cycle) {}

std::string instruction_lines::label_of(std::uint64_t address) const {
  const function_range range = symbols_.range_at(address);
  if (range.index == function_range::no_function) return fmt::format("{:x}", address);
  const std::string& name = symbols_.function_name(range.index);
  if (address == range.first) return fmt::format("{:x} <{}>", address, name);
  return fmt::format("{:x} <{}+{:#x}>", address, name, address - range.first);
}

std::string instruction_lines::stored() const {
  const rv::instruction& i = pending_.source;
  if (i.op == opcode::mret) return "to " + label_of(csr(rv::csr::mepc));
  if (rv::class_of(i.op) != instruction_class::store) return {};
  const unsigned bits = 8 * bytes_of_store(i.op);
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  std::uint64_t address =
      hart_.reg(i.rs1) + static_cast<std::uint64_t>(static_cast<std::int64_t>(i.imm));
  if (hart_.xlen() == 32) address = static_cast<std::uint32_t>(address);
  const std::uint64_t value = rv::is_float(i.op) ? hart_.float_reg(i.rs2) : hart_.reg(i.rs2);
  return fmt::format("[{:#x}]={:#x}", address, value & mask);
}

void instruction_lines::begin(const rv::begun_instruction& next) {
  finish();
  if (!is_wanted(next.cycles * cycle_)) return;
  pending_ = next;
  store_ = stored();
  address_ = hart_.reg(next.source.rs1);
  operand_ = hart_.reg(next.source.rs2);
  is_pending_ = true;
}

// The value follows from the one before, which is the result of the instruction.
std::string instruction_lines::written_by_atomic() const {
  const rv::instruction& i = pending_.source;
  const unsigned bytes = i.op >= opcode::lr_d ? 8 : 4;
  const atomic_update update{rv::operation_of(i.op), operand_, 0};
  const auto is = [this](std::uint64_t value) {
    return fmt::format("[{:#x}]={:#x}", address_, value);
  };
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * bytes);
  if (rv::as_word(i.op) == opcode::lr_w) return {};
  if (rv::as_word(i.op) == opcode::sc_w)
    return i.rd != 0 && hart_.reg(i.rd) == 0 ? is(operand_ & mask) : "";
  if (i.rd != 0) return is(update.result(hart_.reg(i.rd), bytes));
  if (update.operation == atomic_operation::swap) return is(operand_ & mask);
  return fmt::format("[{:#x}] {} {:#x}", address_, name_of(update.operation), operand_ & mask);
}

std::string instruction_lines::written() const {
  const rv::instruction& i = pending_.source;
  std::string text = store_;
  if (is_trapped_) return text;
  const auto add = [&text](const std::string& more) {
    text += (text.empty() || more.empty() ? "" : " ") + more;
  };
  if (writes_float(i))
    add(fmt::format("{}={:#x}", rv::float_register_name(i.rd), hart_.float_reg(i.rd)));
  else if (writes_register(i))
    add(fmt::format("{}={:#x}", rv::register_name(i.rd), hart_.reg(i.rd)));
  if (rv::class_of(i.op) == instruction_class::atomic) add(written_by_atomic());
  if (writes_csr(i)) {
    const auto number = static_cast<unsigned>(i.imm);
    add(fmt::format("{}={:#x}", rv::csr_name(number), csr(static_cast<rv::csr>(number))));
  }
  return text;
}

// An instruction that traps writes nothing. Code that is not there, or an interrupt, has none.
void instruction_lines::trap(std::uint64_t pc, std::uint64_t handler, std::uint64_t cycles) {
  const std::uint64_t mcause = csr(rv::csr::mcause);
  const bool is_interrupt = mcause >> (hart_.xlen() - 1) != 0;
  if (pending_.pc == pc && !is_interrupt)
    finish_without_result();
  else
    finish();
  write_trap(mcause, pc, csr(rv::csr::mtval), cycles, "to " + label_of(handler));
}

void instruction_lines::trap_unhandled() {
  const rv::trap_record& trap = hart_.unhandled();
  if (pending_.pc == trap.pc)
    finish_without_result();
  else
    finish();
  write_trap(static_cast<std::uint64_t>(trap.cause), trap.pc, trap.value, hart_.cycles(),
             "no handler");
}

void instruction_lines::write_trap(std::uint64_t cause, std::uint64_t pc, std::uint64_t value,
                                   std::uint64_t cycles, const std::string& whereto) {
  if (!is_wanted(cycles * cycle_)) return;
  write(fmt::format("{}  trap: {}, epc {}, tval {:#x}, {}", front(cycles),
                    rv::cause_text(cause, hart_.xlen()), label_of(pc), value, whereto));
}

void instruction_lines::break_off() {
  if (hart_.is_calling())
    finish_without_result();
  else
    finish();
}

void instruction_lines::finish_without_result() {
  is_trapped_ = is_pending_;
  store_.clear();
  finish();
}

std::uint64_t instruction_lines::csr(rv::csr number) const {
  std::uint64_t value = 0;
  hart_.read_csr(static_cast<unsigned>(number), value);
  return value;
}

std::string instruction_lines::front(std::uint64_t cycles) const {
  const double ns = static_cast<double>(cycles * cycle_) / static_cast<double>(fs_per_ns);
  return fmt::format("{:>14.3f} ns  {}", ns, core_);
}

void instruction_lines::write(const std::string& line) {
  log_.write(line.substr(0, line.find_last_not_of(' ') + 1) + "\n");
}

void instruction_lines::finish() {
  if (!is_pending_) return;
  is_pending_ = false;
  const rv::instruction& i = pending_.source;
  const rv::disassembly shown = rv::disassemble(i, pending_.pc, hart_.xlen());
  std::string text = shown.text;
  if (shown.has_target)
    text.replace(text.find_last_of(", ") + 1, text.npos, label_of(shown.target));
  write(fmt::format("{}  {:<36} {:<32} {}", front(pending_.cycles), label_of(pending_.pc) + ":",
                    text, written()));
  is_trapped_ = false;
}

}  // namespace heddle
