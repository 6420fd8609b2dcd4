#include "platform/cli/command_line.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <new>
#include <string_view>
#include <systemc>
#include <tuple>

#include "platform/cli/command_registry.hpp"
#include "platform/cli/commands.hpp"
#include "platform/cli/compare_command.hpp"
#include "platform/cli/docs_command.hpp"
#include "platform/cli/message_format.hpp"
#include "platform/cli/mmio_command.hpp"
#include "platform/cli/reproduce_command.hpp"
#include "platform/cli/standard_output.hpp"
#include "platform/run/waveform_output.hpp"
#include "platform/services/out_of_memory.hpp"
#include "platform/text/number.hpp"
#include "platform/text/quantity.hpp"
#include "platform/text/suggest.hpp"
#include "platform/time/time_limits.hpp"

namespace heddle {
namespace {

// Before the kernel's main prints its banner.
[[maybe_unused]] const bool banner_is_silenced =
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0) == 0;

void set_up_messages(bool is_quiet) {
  auto logger = spdlog::stderr_color_st("heddle");
  logger->set_formatter(message_format());
  logger->set_level(is_quiet ? spdlog::level::warn : spdlog::level::info);
  spdlog::set_default_logger(logger);
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
}

// What went wrong inside of the kernel, and comes out of it as one of its reports.
int tell(const sc_core::sc_report& error) {
  const std::string_view message = error.get_msg();
  const bool is_exhausted = message.substr(0, out_of_memory.size()) == out_of_memory;
  if (is_exhausted) {
    std::fprintf(stderr, "%s\n", error.get_msg());
    return 2;
  }
  const char* process = error.get_process_name();
  std::fprintf(stderr, "internal error: %s: %s%s%s\n", error.get_msg_type(), error.get_msg(),
               process ? ", in process " : "", process ? process : "");
  return 1;
}

std::vector<netlist_override> read_overrides(const std::vector<std::string>& texts) {
  std::vector<netlist_override> overrides;
  for (const std::string& each : texts) overrides.push_back(parse_override(each));
  return overrides;
}

fs_t read_time(const std::string& option, const std::string& text) {
  try {
    return static_cast<fs_t>(parse_duration(text));
  } catch (const quantity_error& error) {
    throw user_error(option + " " + text + ": " + error.what());
  }
}

fs_t read_end(const std::string& option, const std::string& text) {
  const fs_t end = read_time(option, text);
  if (end <= end_of_time) return end;
  throw user_error(fmt::format("{} {}: simulated time ends after {}", option, text,
                               format_duration(end_of_time)));
}

// "10 us..20 us" of that option, either end may be missing.
std::pair<fs_t, fs_t> read_window(const std::string& option, const std::string& text) {
  const std::string given = option + " " + text;
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos)
    throw user_error(given + ": expected FROM..TO such as \"10 us..20 us\"");
  const auto time = [&](const std::string& part, fs_t fallback) {
    if (part.empty()) return fallback;
    try {
      return static_cast<fs_t>(parse_duration(part));
    } catch (const quantity_error& error) {
      throw user_error(given + ": " + error.what());
    }
  };
  const fs_t from = time(text.substr(0, dots), 0);
  const fs_t to = time(text.substr(dots + 2), fs_never);
  if (from >= to) throw user_error(given + ": ends before it starts");
  return {from, to};
}

// Sorted; they may not overlap.
std::vector<std::pair<fs_t, fs_t>> read_windows(const std::vector<std::string>& texts) {
  std::vector<std::pair<fs_t, fs_t>> windows;
  for (const std::string& each : texts) windows.push_back(read_window("--wave-window", each));
  std::sort(windows.begin(), windows.end());
  for (std::size_t i = 1; i < windows.size(); ++i)
    if (windows[i].first < windows[i - 1].second)
      throw user_error(fmt::format("--wave-window: one window begins at {}, before another ends",
                                   format_duration(windows[i].first)));
  return windows;
}

// "PORT" or "ADDRESS:PORT".
gdb_options read_gdb(const std::string& text, const std::string& waits) {
  gdb_options options;
  const std::size_t colon = text.rfind(':');
  if (colon != std::string::npos) options.address = text.substr(0, colon);
  const std::string port = colon == std::string::npos ? text : text.substr(colon + 1);
  constexpr std::size_t most_digits = 5;
  constexpr int last_port = 65535;
  const bool is_number = !port.empty() && port.size() <= most_digits &&
                         port.find_first_not_of("0123456789") == std::string::npos;
  options.port = is_number ? std::stoi(port) : -1;
  if (options.port < 0 || options.port > last_port)
    throw user_error("--gdb " + text + ": expected a port from 0 to 65535, or ADDRESS:PORT");
  if (waits != "on" && waits != "off")
    throw user_error("--gdb-wait " + waits + ": expected on or off");
  options.waits = waits == "on";
  return options;
}

struct arguments {
  bench_options bench;
  std::string netlist, type, gdb, gdb_wait = "on";
  std::string trigger, wave_job, before, after;
  std::vector<std::string> windows;
  std::string instruction_window, profile, until;
  reproduce_options reproduce;
  std::vector<std::string> sets, signals, directories;
  std::string report_file, docs, seed;
  run_options run;
  compare_options compare;
  mmio_options mmio;
  show_options show;
};

std::vector<trace_trigger> read_triggers(const arguments& given) {
  std::vector<trace_trigger> triggers;
  if (!given.wave_job.empty()) triggers.push_back(while_job_runs(given.wave_job));
  if (!given.trigger.empty()) triggers.push_back(parse_trigger(given.trigger));
  if (triggers.empty() && !(given.before.empty() && given.after.empty()))
    throw user_error("--wave-before and --wave-after need --wave-job or --wave-when");
  for (trace_trigger& each : triggers) {
    if (!given.before.empty()) each.before = read_end("--wave-before", given.before);
    if (!given.after.empty()) each.after = read_end("--wave-after", given.after);
  }
  return triggers;
}

// These stand for themselves, or have a value behind an equals sign.
std::vector<std::string> with_defaults(int argc, char* argv[]) {
  std::vector<std::string> words;
  for (int i = argc - 1; i > 0; --i) {  // the parser wants them back to front
    std::string word = argv[i];
    if (word == "--profile") word += "=*";
    if (word == "--trace-insn") word += "=*";
    words.push_back(std::move(word));
  }
  return words;
}

std::string all_names(const CLI::App& app) {
  std::string names;
  for (const CLI::App* each : app.get_subcommands({}))
    if (!each->get_group().empty()) names += (names.empty() ? "" : ", ") + each->get_name();
  return names;
}

// An unknown command or option, with a suggestion.
std::string explain(const CLI::App& app, const CLI::ParseError& error, int argc, char* argv[]) {
  std::vector<std::string> known;
  for (const CLI::App* each : app.get_subcommands({}))
    if (!each->get_group().empty()) known.push_back(each->get_name());
  if (argc < 2) return "heddle: which command? One of " + all_names(app);
  const CLI::App* used = nullptr;
  for (const CLI::App* each : app.get_subcommands({}))
    if (each->get_name() == argv[1]) used = each;
  if (!used && argv[1][0] != '-')
    return fmt::format("heddle: unknown command '{}'{}", argv[1], did_you_mean(argv[1], known));
  std::vector<std::string> options;
  if (used)
    for (const CLI::Option* each : used->get_options()) options.push_back(each->get_name());
  for (int i = 2; i < argc; ++i) {
    const std::string word(argv[i]);
    if (word.rfind("--", 0) != 0) continue;
    const std::string name = word.substr(0, word.find('='));
    if (std::find(options.begin(), options.end(), name) == options.end())
      return fmt::format("heddle {}: unknown option '{}'{}", argv[1], name,
                         did_you_mean(name, options));
  }
  return fmt::format("heddle{}{}: {}", used ? " " : "", used ? argv[1] : "", error.what());
}

// Of options, the value is what is missing: an empty one would be taken for none given.
void refuse_empty_values(const CLI::App& command) {
  for (const CLI::Option* each : command.get_options()) {
    if (each->count() == 0 || each->get_expected_max() == 0) continue;
    for (const std::string& value : each->results())
      if (trimmed(value).empty())
        throw user_error(fmt::format("heddle {}: {} needs a value that is not empty",
                                     command.get_name(), each->get_name()));
  }
  for (const CLI::App* each : command.get_subcommands()) refuse_empty_values(*each);
}

std::string checked_seed(const std::string& text) {
  try {
    parse_unsigned(text);
  } catch (const quantity_error& error) {
    throw user_error("--seed " + text + ": " + error.what());
  }
  return text;
}

int perform(int argc, char* argv[]) {
  arguments given;
  CLI::App app("Heddle: a virtual platform for in-network computing", "heddle");
  app.require_subcommand(1);
  app.set_version_flag("--version", HEDDLE_VERSION);

  const auto takes_netlist = [&](CLI::App* command) {
    command->add_option("NETLIST", given.netlist, "netlist file")->required();
    command
        ->add_option("--set", given.sets,
                     "PATH=VALUE: a value of the netlist, or a parameter "
                     "of the units that a glob matches")
        ->allow_extra_args(false);
  };
  auto* run = app.add_subcommand("run", "simulate a netlist");
  takes_netlist(run);
  run->add_option("--out", given.run.directory, "run directory (default: out/NAME)");
  run->add_option("--wave", given.run.wave,
                  "write waves to this .vcd or .fst file, and a .gtkw beside it");
  run->add_option("--wave-window", given.windows, "FROM..TO: when to write waves, repeatable")
      ->allow_extra_args(false);
  run->add_option("--wave-job", given.wave_job,
                  "write waves only while such a job runs: 'allreduce[3]', '*scin 1 MiB'");
  run->add_option("--wave-when", given.trigger,
                  "write waves only while this is so, as in 'gpu[*].dma.channel_0 == ERROR'; also "
                  "!= < <= > >=");
  run->add_option("--wave-before", given.before, "of --wave-job or --wave-when: that long before");
  run->add_option("--wave-after", given.after, "and that long afterwards");
  run->add_option("--wave-signals", given.signals, "globs of the signals to write, ! excludes")
      ->allow_extra_args(false);
  run->add_option("--wave-registers", given.run.traced_registers,
                  "globs of registers to write too, such as 'gpu[0].dma.channel[0].*'")
      ->allow_extra_args(false);
  run->add_option("--report", given.run.report,
                  "write a report to this HTML file: where the time went, what every part did");
  run->add_option("--perfetto", given.run.perfetto,
                  "write what every part did to this file, as trace-event JSON");
  run->add_option("--coverage", given.run.coverage,
                  "write to this JSON file which registers, values and states were touched");
  run->add_option("--mmio-log", given.run.mmio_log,
                  "write every access of every core to this file, CSV or JSON by its name");
  auto* profile = run->add_option("--profile", given.profile,
                                  "[=GLOB]: time and accesses of each function of the cores' "
                                  "firmware, as tables and in profile.json of the run directory");
  auto* instructions = run->add_option("--trace-insn", given.run.instructions.file,
                                       "[=FILE]: write a line for each instruction that a RISC-V "
                                       "core executes (instructions.txt of the "
                                       "run directory)");
  run->add_option("--trace-insn-cores", given.run.instructions.cores, "glob of the cores (*)")
      ->needs(instructions);
  run->add_option("--trace-insn-window", given.instruction_window, "FROM..TO: when")
      ->needs(instructions);
  auto* test = run->add_flag("--test-registers", given.run.tests_registers,
                             "run firmware that compares every register that a core sees with its "
                             "description, instead of the netlist's");
  run->add_option("--core", given.run.core, "which core tests them, the first if not given")
      ->needs(test);
  auto* gdb = run->add_option("--gdb", given.gdb,
                              "[ADDRESS:]PORT: wait for gdb there before anything happens; port 0: "
                              "any that is free, printed; address: 127.0.0.1 if not given");
  run->add_option("--gdb-wait", given.gdb_wait, "off: start at once, gdb may connect later")
      ->needs(gdb);
  run->add_option("--until", given.until,
                  "end the run at this simulated time, for example \"20 ms\", with all results "
                  "and exit code 1 if it was not over");
  auto* seed = run->add_option("--seed", given.seed, "seed of random inputs");
  run->add_option("--threads", given.run.threads,
                  "how many threads share the routers and the traffic of a mesh or another network "
                  "of flits (1), as many as there are idle processors; while they are slower than "
                  "one, one goes on alone; results stay the same")
      ->check(CLI::Range(1, 256));
  run->add_flag("--quiet", given.run.is_quiet, "print nothing but the run directory and failures");
  auto* compare = app.add_subcommand("compare", "a netlist with other values, side by side");
  takes_netlist(compare);
  compare
      ->add_option("--with", given.compare.others,
                   "PATH=VALUE, as --set, for the second of two runs")
      ->required()
      ->allow_extra_args(false);
  compare->add_option("--json", given.compare.json_file, "also write the rows to this file");
  auto* check = app.add_subcommand("check", "build a netlist without running it");
  takes_netlist(check);
  auto* show = app.add_subcommand("show", "print units, address map and links");
  takes_netlist(show);
  show->add_option("--svd", given.show.svd,
                   "write the registers that a core sees to this file, as CMSIS-SVD");
  show->add_option("--linker-script", given.show.linker_script,
                   "write a linker script for firmware of a core to this file");
  show->add_option(
      "--core", given.show.core,
      "which core, the first if not given; alone: the devices that its firmware finds");
  auto* models = app.add_subcommand("models", "list unit types, or describe one");
  models->add_option("TYPE", given.type, "unit type");
  auto* report = app.add_subcommand("report", "write an HTML report about finished runs");
  report->add_option("DIR", given.directories, "run directories, drawn side by side")->required();
  report->add_option("--out", given.report_file,
                     "the HTML file (default: report.html in the first)");
  auto* docs = app.add_subcommand("docs", "write a page of HTML, man pages and shell completions");
  docs->add_option("DIR", given.docs, "the folder for them")->required();
  auto* reproduce = app.add_subcommand("reproduce", "compare with the literature");
  auto* bench = app.add_subcommand("bench", "speed of the simulator against the kernel's floor");
  reproduce->add_option("GLOB", given.reproduce.globs, "which ones, any number");
  reproduce->add_flag("--rows", given.reproduce.shows_rows, "every row of a claim");
  reproduce->add_option("--jobs", given.reproduce.jobs, "runs at a time (default: 1)")
      ->check(CLI::Range(1, 1024));
  reproduce->add_option("--json", given.reproduce.json, "also write the rows to this file");
  reproduce->add_option("--markdown", given.reproduce.markdown,
                        "also write a ledger: with commands, mechanisms, and how far each free "
                        "parameter moves each claim");
  reproduce->add_option("--html", given.reproduce.html, "the ledger as a page of HTML");
  bench->add_option("GLOB", given.bench.globs, "which ones, any number");
  bench->add_option("--runs", given.bench.runs, "of which the median is printed (default: 1)")
      ->check(CLI::Range(1, 99));
  bench->add_option("--json", given.bench.json_file, "also write the rows to this file");
  bench->add_option("--markdown", given.bench.markdown_file, "also write them as a table");
  std::vector<std::pair<CLI::App*, std::function<int()>>> registered;
  for (const registered_command& each : command_registry::instance().commands()) {
    CLI::App* const command = app.add_subcommand(each.name, each.meaning);
    registered.emplace_back(command, each.declare(*command));
  }
  auto* mmio = app.add_subcommand("mmio", "replay or compare logs of run --mmio-log");
  mmio->require_subcommand(1);
  auto* replay = mmio->add_subcommand("replay", "repeat the accesses to one unit, compare reads");
  takes_netlist(replay);
  replay->add_option("UNIT", given.mmio.unit, "path of the unit")->required();
  replay->add_option("LOG", given.mmio.log, "log of a run of the netlist")->required();
  auto* diff = mmio->add_subcommand("diff", "the first difference between two logs");
  diff->add_option("A", given.mmio.a, "log")->required();
  diff->add_option("B", given.mmio.b, "log")->required();
  diff->add_flag("--ignore-time", given.mmio.ignores_time, "compare everything but times");
  auto* bench_child = app.add_subcommand("bench-child", "")->group("");
  bench_child->add_option("NAME", given.type)->required();

  try {
    app.parse(with_defaults(argc, argv));
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "%s\n", explain(app, error, argc, argv).c_str());
    return 2;
  }

  set_up_messages(given.run.is_quiet);
  set_kernel_resolution();
  explain_exhaustion();
  try {
    check_standard_output();
    for (const CLI::App* each : app.get_subcommands()) refuse_empty_values(*each);
    std::vector<netlist_override> overrides = read_overrides(given.sets);
    if (seed->count() > 0) overrides.push_back({"seed", checked_seed(given.seed)});
    if (check->parsed()) return check_command(given.netlist, overrides);
    if (show->parsed()) return show_command(given.netlist, overrides, given.show);
    if (docs->parsed()) return docs_command(app, given.docs);
    if (report->parsed()) return report_command(given.directories, given.report_file);
    if (models->parsed()) return models_command(given.type);
    if (compare->parsed()) {
      given.compare.netlist = given.netlist;
      given.compare.sets = given.sets;
      read_overrides(given.compare.others);  // a mistake is one of the command line
      return compare_command(given.compare);
    }
    if (reproduce->parsed()) return reproduce_command(given.reproduce);
    for (const auto& [command, act] : registered)
      if (command->parsed()) return act();
    if (diff->parsed()) return mmio_diff_command(given.mmio);
    if (replay->parsed()) {
      given.mmio.netlist = given.netlist;
      return mmio_replay_command(given.mmio, overrides);
    }
    if (bench->parsed()) return bench_command(given.bench);
    if (bench_child->parsed()) return bench_child_command(given.type);
    given.run.netlist = given.netlist;
    given.run.overrides = overrides;
    if (!given.signals.empty()) given.run.signals = given.signals;
    given.run.windows = read_windows(given.windows);
    given.run.triggers = read_triggers(given);
    if (!given.instruction_window.empty())
      std::tie(given.run.instructions.from, given.run.instructions.to) =
          read_window("--trace-insn-window", given.instruction_window);
    if (!given.until.empty()) given.run.until = read_end("--until", given.until);
    if (profile->count() > 0) given.run.profile = given.profile;
    if (gdb->count() > 0) given.run.gdb = read_gdb(given.gdb, given.gdb_wait);
    return run_command(given.run);
  } catch (const user_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  } catch (const std::filesystem::filesystem_error& error) {
    std::fprintf(stderr, "%s: %s\n", error.path1().c_str(), error.code().message().c_str());
    return 2;
  } catch (const std::bad_alloc& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  } catch (const sc_core::sc_report& error) {
    return tell(error);
  }
}

}  // namespace

int run_command_line(int argc, char* argv[]) {
  return finish_standard_output(perform(argc, argv));
}

}  // namespace heddle
