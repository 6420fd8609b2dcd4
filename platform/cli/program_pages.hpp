// What a command line declares, for people who read it elsewhere.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace heddle {

// Commands that people may call: those of the program, or below one of its commands; by name.
std::vector<const CLI::App*> shown_commands(const CLI::App& parent);
// The same with those below them, each behind its parent.
std::vector<const CLI::App*> all_commands(const CLI::App& program);
// "run", "mmio replay"
std::string full_name(const CLI::App& command);
// Options and positionals of a command, without --help.
std::vector<const CLI::Option*> shown_options(const CLI::App& command);
bool is_flag(const CLI::Option& option);

// heddle(1), or heddle-run(1) of a command.
std::string man_page_name(const CLI::App* command);
std::string man_page(const CLI::App& program, const CLI::App* command);

// Commands and their options.
std::string commands_html(const CLI::App& program);

}  // namespace heddle
