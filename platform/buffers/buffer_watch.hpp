// The memories of a run that watch buffers, and what firmware is told about its mistakes there.
#pragma once

#include <map>
#include <string>
#include <tlm>
#include <vector>

#include "platform/buffers/buffer_shadow.hpp"
#include "platform/contracts/access_origin.hpp"
#include "platform/contracts/register_audit.hpp"

namespace heddle {

class simulation;

// One per run: simulation::service<buffer_directory>().
struct buffer_directory {
  bool is_on = true;  // before the first memory is built
  std::vector<const buffer_shadow*> shadows;
  // "gpu[0].memory at app.c:7 in main": what a line does wrong is told once.
  std::map<std::string, std::uint64_t> reports_by_line;
};

// An access of firmware to a memory of that path, at its offset. Reports a read of bytes that
// nobody has written, and an access to what an engine owns.
void check_buffers(simulation& sim, const std::string& memory, const buffer_shadow& shadow,
                   const tlm::tlm_generic_payload& payload, const access_origin& origin, fs_t when);

// The program of the core has ended: what it has started must be over.
void check_unfinished(simulation& sim, const access_initiator& core);

// The same; of lines that are still up, nobody has cleared what raised them. `waited_at`: where the
// program has waited for an interrupt lastly.
void check_interrupts(simulation& sim, const access_initiator& core, std::uint64_t lines_up,
                      const code_point& waited_at);

// Reports what breaks the contract of a unit, but no register's rule; ends the run where it is
// fatal.
void report_contract(simulation& sim, register_audit record);

}  // namespace heddle
