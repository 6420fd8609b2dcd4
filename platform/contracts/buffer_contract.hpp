// How the run's list of broken contracts tells those of buffers from those of registers: they have
// this in the place of a register's name.
#pragma once

namespace heddle {

inline constexpr const char* buffer_contract = "(buffer)";

}  // namespace heddle
