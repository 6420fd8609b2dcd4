// What the description of a register says about its bits, for the firmware that tests it.
#pragma once

#include <cstdint>

#include "platform/registers/register_cell.hpp"
#include "sw/hal/register_table.h"

namespace heddle {

register_entry make_register_entry(const register_cell& cell, std::uint64_t address);

}  // namespace heddle
