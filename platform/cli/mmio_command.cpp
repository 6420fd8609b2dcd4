#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "platform/cli/commands.hpp"
#include "platform/cli/netlist_arguments.hpp"
#include "platform/run/mmio_record.hpp"
#include "platform/run/mmio_replay.hpp"

// What one does with the logs of runs. Both exit with 1 where something differs.
namespace heddle {
namespace {

struct replay_options {
  netlist_arguments netlist;
  std::string unit, log;
};

struct diff_options {
  std::string a, b;
  bool ignores_time = false;
};

void print_or_end(const std::string& name, const std::vector<mmio_record>& log, std::size_t at,
                  bool is_whole) {
  std::string text = "ends here\n";
  if (at < log.size()) text = is_whole ? csv_line(log[at]) : log[at].text() + "\n";
  std::printf("  %s: %s", name.c_str(), text.c_str());
}

int replay(const replay_options& options) {
  const mmio_replay_report report =
      replay_mmio(options.netlist.file, options.netlist.overrides(), options.unit, options.log);
  for (const mmio_difference& each : report.first)
    std::printf("differs: %s\n   here: %s\n", each.recorded.c_str(), each.replayed.c_str());
  std::printf("%llu accesses of %s replayed, %llu differ\n",
              static_cast<unsigned long long>(report.accesses), options.unit.c_str(),
              static_cast<unsigned long long>(report.differing));
  return report.differing == 0 ? 0 : 1;
}

int diff(const diff_options& options) {
  const std::vector<mmio_record> a = read_mmio_log(options.a);
  const std::vector<mmio_record> b = read_mmio_log(options.b);
  const std::size_t both = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    bool is_whole = false;  // where people would read the same of both
    if (i < both) {
      mmio_record first = a[i];
      if (options.ignores_time) first.time = b[i].time;
      if (csv_line(first) == csv_line(b[i])) continue;
      is_whole = first.text() == b[i].text();
    }
    std::printf("first difference at access %zu:\n", i + 1);
    print_or_end(options.a, a, i, is_whole);
    print_or_end(options.b, b, i, is_whole);
    return 1;
  }
  std::printf("the same %zu accesses\n", a.size());
  return 0;
}

command_action declare_replay(CLI::App& command) {
  const auto options = std::make_shared<replay_options>();
  options->netlist.declare(command);
  command.add_option("UNIT", options->unit, "path of the unit")->required();
  command.add_option("LOG", options->log, "log of a run of the netlist")->required();
  return [options] { return replay(*options); };
}

command_action declare_diff(CLI::App& command) {
  const auto options = std::make_shared<diff_options>();
  command.add_option("A", options->a, "log")->required();
  command.add_option("B", options->b, "log")->required();
  command.add_flag("--ignore-time", options->ignores_time, "compare everything but times");
  return [options] { return diff(*options); };
}

}  // namespace

command_action declare_mmio(CLI::App& command) {
  command.require_subcommand(1);
  CLI::App* const replay =
      command.add_subcommand("replay",
                             "repeat the accesses of a log to one unit, compare what reads return "
                             "(what the unit found in memory or got from others is missing)");
  const command_action do_replay = declare_replay(*replay);
  const command_action do_diff =
      declare_diff(*command.add_subcommand("diff", "the first difference between two logs"));
  return [=] { return replay->parsed() ? do_replay() : do_diff(); };
}

}  // namespace heddle
