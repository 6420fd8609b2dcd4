// Faults of firmware that runs natively: where they happened, in its own lines, and their reports.
#include <fmt/format.h>

#include "models/cpu/elf/native_program.hpp"
#include "models/cpu/native_core.hpp"
#include "models/cpu/native_fault.hpp"
#include "platform/services/run_control.hpp"
#include "platform/text/quantity.hpp"

namespace heddle {

// The thread's stack may be too small to find a line in: a process on the kernel's stack reports.
void native_core::crash(const native_fault& fault) {
  const cause_aside none;  // the cause that firmware ran for may be gone
  activity_.show(core_activity::state::fault);
  sc_core::sc_spawn_options method;
  method.spawn_method();
  sc_core::sc_spawn([this, fault] { report(fault); }, "crash", &method);
  halt();
}

// Where the fault has no line, the firmware has called the HAL or the C library.
std::string native_core::place_of(const native_fault& fault) const {
  const code_line direct = line_at({fault.returns_to});
  if (direct.line != 0) return direct.text();
  if (!is_called())
    for (const std::uint64_t word : fault.newest_words) {
      const code_line caller = line_at({word});
      if (caller.line != 0) return caller.text();
    }
  return call_site() == 0 ? ""
                          : "in or after the call of the HAL at " + line_at({call_site()}).text();
}

void native_core::report(const native_fault& fault) {
  const std::string place = place_of(fault);
  control_.fail(fmt::format("{}: {}{}{}", path(), fault.text(), place.empty() ? "" : ", ", place));
}

// As the bus of a core that cannot make misaligned accesses would.
void native_core::refuse_misaligned(const tlm::tlm_generic_payload& payload,
                                    std::uint64_t address) {
  control_.fail(fmt::format("{}: misaligned {} of {} bytes at {}{}", path(), kind_of(payload),
                            payload.get_data_length(), bus_.view().described(address),
                            at_line(bus_.origin().at)));
  activity_.show(core_activity::state::fault);
  halt();
}

// Firmware cannot go on. A fault that a register block has reported, with its reason and line, is
// not reported again.
void native_core::fault(const tlm::tlm_generic_payload& payload, fs_t when, bool is_told) {
  const std::string why = is_told ? "" : ": " + payload.get_response_string();
  const bool is_placed = is_told && !bus_.audit().last().place.empty();
  if (!is_told || !bus_.audit().last().is_fatal())
    control_.fail(fmt::format("{}: bus error: {} of {} bytes at {} at {}{}{}", path(),
                              kind_of(payload), payload.get_data_length(),
                              bus_.view().described(payload.get_address()), format_duration(when),
                              why, is_placed ? "" : at_line(bus_.origin().at)));
  activity_.show(core_activity::state::fault);
  halt();
}

// Firmware asks the HAL for what there is not.
void native_core::fail_call(const std::string& what) {
  synchronize();
  control_.fail(fmt::format("{}: {}{}", path(), what, at_line({call_site()})));
  activity_.show(core_activity::state::fault);
  halt();
}

code_line native_core::line_at(const code_point& point) const {
  return native_program::instance().caller_at(point.address);
}

std::string native_core::at_line(const code_point& point) const {
  const std::string line = line_at(point).text();
  return line.empty() ? line : "\n  at " + line;
}

}  // namespace heddle
