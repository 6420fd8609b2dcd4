// What messages say of a trap that ends a program.
#pragma once

#include <cstdint>
#include <string>

#include "models/cpu/bus_view.hpp"
#include "models/cpu/elf/symbol_table.hpp"
#include "models/cpu/rv/any_hart.hpp"
#include "models/cpu/rv/csr_file.hpp"
#include "platform/time/fs_time.hpp"

namespace heddle {

// The last access of a core that was refused.
struct refused_access {
  std::string what;  // "read", "atomic add"
  unsigned bytes = 0;
  fs_t when = 0;
  std::string reason;       // ": ...", "" where the registers have told it
  bool is_by_core = false;  // by registers of the core itself, not on its bus
};

std::uint64_t csr_value(const rv::any_hart& hart, rv::csr number);
// mtvec points to where nothing can be executed, or the first instruction traps.
bool is_handler_missing(const rv::any_hart& hart);
// The trap that nobody handled: "bus error: ...".
std::string unhandled_trap_text(const rv::any_hart& hart, const symbol_table& symbols,
                                const bus_view& bus, const refused_access& refused);
// "timer": which of the pending interrupts would be taken.
std::string pending_interrupt(const rv::any_hart& hart);

}  // namespace heddle
