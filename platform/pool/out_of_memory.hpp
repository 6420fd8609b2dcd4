// The host has no more memory for the simulated system: a message instead of std::bad_alloc.
#pragma once

#include <string_view>

namespace heddle {

// How the message begins; what follows is how much the program holds.
inline constexpr std::string_view out_of_memory =
    "out of memory: the system and its data need more than the host gives";

// Throws an exception of that message, which is a std::bad_alloc.
[[noreturn]] void throw_out_of_memory();

// From now on, `new` does so too.
void explain_exhaustion();

}  // namespace heddle
