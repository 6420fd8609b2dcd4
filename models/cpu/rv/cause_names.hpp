// What messages and lists call the causes of traps and interrupts.
#pragma once

#include <cstdint>
#include <string>

#include "models/cpu/rv/isa.hpp"

namespace heddle::rv {

inline const char* name_of(interrupt line) {
  switch (line) {
    case interrupt::software:
      return "software";
    case interrupt::timer:
      return "timer";
    default:
      return "external";
  }
}

inline const char* name_of(trap_cause cause) {
  switch (cause) {
    case trap_cause::fetch_access:
      return "instruction fetch fault";
    case trap_cause::illegal_instruction:
      return "illegal instruction";
    case trap_cause::breakpoint:
      return "ebreak";
    case trap_cause::load_misaligned:
      return "misaligned load";
    case trap_cause::load_access:
      return "load fault";
    case trap_cause::store_misaligned:
      return "misaligned store";
    case trap_cause::store_access:
      return "store fault";
    default:
      return "ecall";
  }
}

// Of mcause as a hart of so many bits holds it.
inline std::string cause_text(std::uint64_t mcause, int xlen) {
  const auto number = static_cast<unsigned>(mcause & 0xff);
  if (mcause >> (xlen - 1) == 0) return name_of(static_cast<trap_cause>(number));
  return std::string(name_of(static_cast<interrupt>(number))) + " interrupt";
}

}  // namespace heddle::rv
