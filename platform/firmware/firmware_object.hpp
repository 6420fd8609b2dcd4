// Firmware of a project outside, as the netlist names it: `firmware: ./build/add` is the file of
// that name with the ending of the core (".so" natively, ".rv64.elf" and ".rv32.elf" on the core
// models), beside the netlist or in the folder of the caller. A name without "/" is an app that was
// built with the program.
#pragma once

#include <string>

#include "platform/firmware/firmware_registry.hpp"

namespace heddle {

inline bool is_firmware_path(const std::string& firmware) {
  return firmware.find('/') != std::string::npos;
}

// folder: of the netlist. ending: ".so"; a name that has it already is taken as it is. Throws
// user_error, which names the files that are not there.
std::string find_firmware_path(const std::string& firmware, const std::string& ending,
                               const std::string& folder);

// The main of a shared object whose HAL is this program's; it stays loaded. Throws user_error.
firmware_registry::entry_point load_firmware_object(const std::string& file);

}  // namespace heddle
