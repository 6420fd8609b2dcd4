// What a command line declares, for people who read it elsewhere.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace heddle {

// Subcommands that people may call, by name.
std::vector<const CLI::App*> shown_commands(const CLI::App& program);
// Options and positionals of a command, without --help.
std::vector<const CLI::Option*> shown_options(const CLI::App& command);

// heddle(1), or heddle-run(1) of a command.
std::string man_page(const CLI::App& program, const CLI::App* command);

std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);
std::string fish_completion(const CLI::App& program);

// Commands and their options.
std::string commands_html(const CLI::App& program);

}  // namespace heddle
