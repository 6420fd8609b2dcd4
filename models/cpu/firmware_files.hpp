// Apps that were built for an instruction-set core, by name. heddle_add_firmware()
// (tools/cmake/firmware.cmake) puts them into the folder `firmware` beside the program; an
// installation has them in share/heddle/firmware.
#pragma once

#include <string>

namespace heddle {

// The ELF file of the app; user_error says which apps there are.
std::string find_firmware_file(const std::string& app);

}  // namespace heddle
