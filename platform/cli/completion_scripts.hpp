// Completions for shells, from what a command line declares.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace heddle {

std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);
std::string fish_completion(const CLI::App& program);

}  // namespace heddle
