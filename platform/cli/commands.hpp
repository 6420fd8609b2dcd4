// The commands of the platform itself, as others register theirs: each function declares the
// options of one, and returns what runs it.
#pragma once

#include "platform/cli/command_registry.hpp"

namespace heddle {

command_action declare_run(CLI::App& command);
command_action declare_compare(CLI::App& command);
command_action declare_check(CLI::App& command);
command_action declare_show(CLI::App& command);
command_action declare_models(CLI::App& command);
command_action declare_report(CLI::App& command);
command_action declare_docs(CLI::App& command);
command_action declare_reproduce(CLI::App& command);
command_action declare_bench(CLI::App& command);
command_action declare_bench_child(CLI::App& command);  // a benchmark of bench, in its process
command_action declare_mmio(CLI::App& command);

}  // namespace heddle
