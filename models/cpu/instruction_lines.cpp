#include "models/cpu/instruction_lines.hpp"

#include <fmt/format.h>

#include "models/cpu/rv/disassembler.hpp"

namespace heddle {
namespace {

using rv::instruction_class;
using rv::opcode;

bool writes_register(const rv::instruction& i) {
  const instruction_class c = rv::class_of(i.op);
  const bool is_csr = rv::is_between(i.op, opcode::csrrw, opcode::csrrci);
  return i.rd != 0 && c != instruction_class::branch && c != instruction_class::store &&
         (c != instruction_class::system || is_csr);
}

unsigned bytes_of_store(opcode op) {
  return op == opcode::sb ? 1 : op == opcode::sh ? 2 : op == opcode::sw ? 4 : 8;
}

}  // namespace

instruction_lines::instruction_lines(instruction_log& log, const std::string& core,
                                     const rv::any_hart& hart, const symbol_table& symbols,
                                     fs_t cycle)
    : log_(log), core_(core), hart_(hart), symbols_(symbols), cycle_(cycle) {}

std::string instruction_lines::place(std::uint64_t address) const {
  const function_range range = symbols_.range_at(address);
  if (range.index == function_range::no_function) return fmt::format("{:x}", address);
  const std::string& name = symbols_.function_name(range.index);
  if (address == range.first) return fmt::format("{:x} <{}>", address, name);
  return fmt::format("{:x} <{}+{:#x}>", address, name, address - range.first);
}

std::string instruction_lines::stored() const {
  const rv::instruction& i = pending_.source;
  if (rv::class_of(i.op) != instruction_class::store) return {};
  const unsigned bits = 8 * bytes_of_store(i.op);
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  std::uint64_t address =
      hart_.reg(i.rs1) + static_cast<std::uint64_t>(static_cast<std::int64_t>(i.imm));
  if (hart_.xlen() == 32) address = static_cast<std::uint32_t>(address);
  return fmt::format("[{:#x}]={:#x}", address, hart_.reg(i.rs2) & mask);
}

void instruction_lines::begin(const rv::begun_instruction& next) {
  finish();
  const fs_t time = next.cycles * cycle_;
  if (time < log_.from() || time > log_.to()) return;
  pending_ = next;
  store_ = stored();
  is_pending_ = true;
}

// An instruction that traps writes nothing. Code that is not there, or an interrupt, has none.
void instruction_lines::trap(std::uint64_t pc, std::uint64_t handler) {
  if (!is_pending_ || pending_.pc != pc) return finish();
  store_ = "trap to " + place(handler);
  is_trapped_ = true;
  finish();
}

void instruction_lines::finish() {
  if (!is_pending_) return;
  is_pending_ = false;
  const rv::instruction& i = pending_.source;
  const rv::disassembly shown = rv::disassemble(i, pending_.pc, hart_.xlen());
  std::string text = shown.text;
  if (shown.has_target) text.replace(text.find_last_of(", ") + 1, text.npos, place(shown.target));
  const bool has_result = writes_register(i) && !is_trapped_;
  const std::string written =
      has_result ? fmt::format("{}={:#x}", rv::register_name(i.rd), hart_.reg(i.rd)) : store_;
  is_trapped_ = false;
  const double ns = static_cast<double>(pending_.cycles * cycle_) / static_cast<double>(fs_per_ns);
  const std::string line = fmt::format("{:>14.3f} ns  {}  {:<36} {:<32} {}", ns, core_,
                                       place(pending_.pc) + ":", text, written);
  log_.write(line.substr(0, line.find_last_not_of(' ') + 1) + "\n");
}

}  // namespace heddle
