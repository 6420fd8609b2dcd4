#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "platform/cli/commands.hpp"
#include "platform/cli/run_arguments.hpp"
#include "platform/run/results.hpp"
#include "platform/run/waveform_output.hpp"

namespace heddle {
namespace {

constexpr std::size_t most_waiting = 16;  // on the terminal

int run(const run_options& options) {
  if (options.is_quiet) spdlog::set_level(spdlog::level::warn);
  const run_report report = run_netlist(options);
  const std::string text = findings(report, most_waiting);
  const char* const below_rows = report.results.empty() ? "" : "\n";  // of the table
  if (report.exit_code != 0)
    std::fputs(text.c_str(), stderr);
  else if (!options.is_quiet && !text.empty())
    std::printf("%s%s", below_rows, text.c_str());
  if (!report.profile.empty() && !options.is_quiet) std::printf("\n%s", report.profile.c_str());
  if (!report.instructions.empty() && !options.is_quiet)
    std::printf("instructions: %s\n", report.instructions.c_str());
  if (!report.registers.empty() && !options.is_quiet)
    std::printf("registers: %s\n", report.registers.c_str());
  if (!report.wave.empty() && !options.is_quiet)
    std::printf(
        "waves: %s%s\n", report.wave.c_str(),
        save_file_of(report.wave).empty() ? "" : " (open the .gtkw beside it with gtkwave)");
  if (!options.report.empty() && !options.is_quiet)
    std::printf("report: %s\n", options.report.c_str());
  if (!report.coverage.empty() && !options.is_quiet)
    std::printf("%s: %s\n", report.coverage.c_str(), options.coverage.c_str());
  std::printf("results: %s\n", report.directory.c_str());
  return report.exit_code;
}

}  // namespace

command_action declare_run(CLI::App& command) {
  const auto given = std::make_shared<run_arguments>(command);
  return [given] { return run(given->read()); };
}

}  // namespace heddle
