// Apps that were built for an instruction-set core, by name. heddle_add_firmware()
// (tools/cmake/firmware.cmake) puts them into the folder `firmware` beside the program, for 32 bits
// into `firmware/rv32`; an installation has them in share/heddle/firmware.
#pragma once

#include <string>

namespace heddle {

// The ELF file of the app; user_error says which apps there are. xlen: 32 or 64. netlist_folder:
// where "./FILE" of a project outside lies (platform/firmware/firmware_object.hpp).
std::string find_firmware_file(const std::string& app, int xlen = 64,
                               const std::string& netlist_folder = {});

}  // namespace heddle
