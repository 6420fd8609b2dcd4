// `heddle docs DIR`: what the program knows of itself, as files for its installation: a page of
// HTML, man pages, completions for shells.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace heddle {

// Throws user_error where a file cannot be written.
int docs_command(const CLI::App& program, const std::string& directory);

}  // namespace heddle
