// How options are told: by --help, on pages of the manual and in the reference.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <string>

namespace heddle {

// "seed of the random tensors (default: 1)": what it means, and what holds if it is not given.
std::string option_text(const CLI::Option& option);

// Lets each option of the program remember its default, and help show it with the exit codes.
// Commands that are added later do the same.
void set_up_help(CLI::App& program);

}  // namespace heddle
