// The linker script of firmware for one core of a netlist: its memory for code, data and stack, and
// the addresses of everything else on its bus as symbols. The sections are those of
// sw/start/sections.ld, which `-L FOLDER` finds.
#pragma once

#include <string>

#include "platform/netlist/core_view.hpp"

namespace heddle {

// The memory starts at the core's parameter `local`, 0x80000000 where it has none, and ends with
// the range that is mapped there or with `local_size`. Throws user_error when no memory is mapped
// there.
std::string linker_script(const netlist_plan& plan, const core_view& view);

}  // namespace heddle
