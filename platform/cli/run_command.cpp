#include <cstdio>

#include "platform/cli/commands.hpp"
#include "platform/run/results.hpp"

namespace heddle {

int run_command(const run_options& options) {
  const run_report report = run_netlist(options);
  if (report.exit_code != 0)
    std::fputs(findings(report).c_str(), stderr);
  else if (!options.is_quiet)
    std::printf("\n%s", findings(report).c_str());
  if (!report.profile.empty() && !options.is_quiet) std::printf("\n%s", report.profile.c_str());
  if (!report.instructions.empty() && !options.is_quiet)
    std::printf("instructions: %s\n", report.instructions.c_str());
  if (!report.registers.empty() && !options.is_quiet)
    std::printf("registers: %s\n", report.registers.c_str());
  if (!report.wave.empty() && !options.is_quiet)
    std::printf("waves: %s (open the .gtkw beside it with gtkwave)\n", report.wave.c_str());
  if (!options.report.empty() && !options.is_quiet)
    std::printf("report: %s\n", options.report.c_str());
  if (!report.coverage.empty() && !options.is_quiet)
    std::printf("%s: %s\n", report.coverage.c_str(), options.coverage.c_str());
  std::printf("results: %s\n", report.directory.c_str());
  return report.exit_code;
}

}  // namespace heddle
