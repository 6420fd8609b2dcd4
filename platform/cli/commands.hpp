// One function a command; each returns the exit code and throws user_error for wrong input.
#pragma once

#include <string>
#include <vector>

#include "platform/netlist/planner.hpp"
#include "platform/run/run.hpp"

namespace heddle {

int run_command(const run_options& options);
int check_command(const std::string& netlist, const std::vector<netlist_override>& overrides);
// What `show` writes instead of printing; "": nothing.
struct show_options {
  std::string core;  // whose view it is; "": the first
  std::string svd, linker_script;
};
int show_command(const std::string& netlist, const std::vector<netlist_override>& overrides,
                 const show_options& options);
// Writes a report about the runs whose results are in these directories; "": beside the first.
int report_command(const std::vector<std::string>& directories, const std::string& file);
int models_command(const std::string& type);  // "": all types
struct bench_options {
  std::vector<std::string> globs;        // none: all
  std::string json_file, markdown_file;  // empty: none
  int runs = 1;                          // the median of so many is printed
};
// 1 when a benchmark failed; the others are measured all the same.
int bench_command(const bench_options& options);
int bench_child_command(const std::string& name);

}  // namespace heddle
