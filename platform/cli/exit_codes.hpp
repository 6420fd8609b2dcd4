// What every command ends with, for its help and its page of the manual.
#pragma once

namespace heddle {

inline constexpr const char* exit_codes =
    "0 all is done and right; 1 a check failed, or the simulated system did; 2 the input is wrong: "
    "a netlist, an option, or a file that cannot be read or written";

}  // namespace heddle
