#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "platform/cli/commands.hpp"
#include "platform/report/report_page.hpp"
#include "platform/report/report_run.hpp"
#include "platform/trace/named_outputs.hpp"
#include "platform/trace/wanted_file.hpp"

namespace heddle {
namespace {

struct report_options {
  std::vector<std::string> directories;
  std::string file;  // "": beside the results of the first
};

int report(const report_options& options) {
  const std::string written =
      options.file.empty() ? options.directories.front() + "/report.html" : options.file;
  for (const std::string& each : options.directories)
    check_named_outputs(result_files(each), {{"--out", written}});
  const std::string page = report_page(options.directories);
  wanted_file(written).write(page);
  std::printf("report: %s\n", written.c_str());
  return 0;
}

}  // namespace

command_action declare_report(CLI::App& command) {
  const auto options = std::make_shared<report_options>();
  command.add_option("DIR", options->directories, "run directories, drawn side by side")
      ->required();
  command.add_option("--out", options->file, "the HTML file (default: report.html in the first)");
  return [options] { return report(*options); };
}

}  // namespace heddle
