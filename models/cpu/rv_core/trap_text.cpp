#include "models/cpu/rv_core/trap_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/cpu/rv/cause_names.hpp"
#include "models/cpu/rv/decoder.hpp"
#include "models/cpu/rv/disassembler.hpp"
#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

// Which instruction it would be, if there were what it names: a CSR, most of all.
std::string illegal_text(std::uint64_t bits, const rv::any_hart& hart) {
  const rv::instruction decoded = rv::decode(static_cast<std::uint32_t>(bits), hart.xlen());
  if (decoded.op == rv::opcode::illegal) return "";
  std::string text = rv::disassemble(decoded, 0, hart.xlen()).text;
  std::replace(text.begin(), text.end(), '\t', ' ');
  constexpr std::uint64_t fs = 3U << 13;
  const bool is_off = rv::is_float(decoded.op) && (csr_value(hart, rv::csr::mstatus) & fs) == 0;
  return " (" + text + (is_off ? ": floating point is off, mstatus.FS is 0)" : ")");
}

std::string place_of(std::uint64_t address, const bus_view& bus, const refused_access& refused) {
  if (!refused.is_by_core) return bus.described(address);
  return fmt::format("{:#x} (registers of the core)", address);
}

std::string text_of(const rv::any_hart& hart, const bus_view& bus, const refused_access& refused) {
  using rv::trap_cause;
  const rv::trap_record& trap = hart.unhandled();
  switch (trap.cause) {
    case trap_cause::fetch_access:
    case trap_cause::load_access:
    case trap_cause::store_access:
      return fmt::format("bus error: {} of {} bytes at {} at {}{}", refused.what, refused.bytes,
                         place_of(trap.value, bus, refused), format_duration(refused.when),
                         refused.reason);
    case trap_cause::breakpoint:
      return "ebreak: an assertion or __builtin_trap?";
    case trap_cause::load_misaligned:
      return fmt::format("misaligned load at {:#x}", trap.value);
    case trap_cause::store_misaligned:
      return fmt::format("misaligned store at {:#x}", trap.value);
    default:
      return fmt::format("illegal instruction {:#x}{}", trap.value, illegal_text(trap.value, hart));
  }
}

}  // namespace

std::uint64_t csr_value(const rv::any_hart& hart, rv::csr number) {
  std::uint64_t value = 0;
  hart.read_csr(static_cast<unsigned>(number), value);
  return value;
}

bool is_handler_missing(const rv::any_hart& hart) {
  constexpr std::uint64_t mode = 3;
  const std::uint64_t mtvec = csr_value(hart, rv::csr::mtvec);
  const rv::trap_record& trap = hart.unhandled();
  return mtvec != 0 && (trap.cause == rv::trap_cause::fetch_access || trap.pc == (mtvec & ~mode));
}

// Of a handler that is not there, or traps at once, what it was wanted for comes first.
std::string unhandled_trap_text(const rv::any_hart& hart, const symbol_table& symbols,
                                const bus_view& bus, const refused_access& refused) {
  std::string text = text_of(hart, bus, refused);
  if (!is_handler_missing(hart)) return text;
  const bool is_code = hart.unhandled().cause != rv::trap_cause::fetch_access;
  return fmt::format("{} at pc {}, and its handler {} (mtvec {:#x}): {}",
                     rv::cause_text(csr_value(hart, rv::csr::mcause), hart.xlen()),
                     symbols.describe(csr_value(hart, rv::csr::mepc)),
                     is_code ? "begins with a trap" : "is not there",
                     csr_value(hart, rv::csr::mtvec), text);
}

std::string pending_interrupt(const rv::any_hart& hart) {
  const std::uint64_t pending = csr_value(hart, rv::csr::mip) & csr_value(hart, rv::csr::mie);
  for (const rv::interrupt each :
       {rv::interrupt::external, rv::interrupt::software, rv::interrupt::timer})
    if ((pending >> static_cast<unsigned>(each) & 1) != 0) return name_of(each);
  return "";
}

}  // namespace heddle
