#include "platform/cli/command_line.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <string_view>
#include <systemc>
#include <utility>
#include <vector>

#include "platform/cli/command_registry.hpp"
#include "platform/cli/commands.hpp"
#include "platform/cli/help_format.hpp"
#include "platform/cli/message_format.hpp"
#include "platform/cli/standard_output.hpp"
#include "platform/pool/out_of_memory.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/text/number.hpp"
#include "platform/text/quote.hpp"
#include "platform/text/suggest.hpp"
#include "platform/time/fs_time.hpp"
#include "platform/trace/leftovers.hpp"

namespace heddle {
namespace {

// Before the kernel's main prints its banner.
[[maybe_unused]] const bool banner_is_silenced =
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0) == 0;

// Some sources are compiled for what the processor of the build has
// (tools/cmake/hot_sources.cmake).
bool runs_here() {
#ifdef HEDDLE_BMI
  return __builtin_cpu_supports("bmi2");
#else
  return true;
#endif
}

void set_up_messages() {
  auto logger = spdlog::stderr_color_st("heddle");
  logger->set_formatter(message_format());
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

// The options of a command that stand on the command line, from `first` on: the first that it does
// not have, with a suggestion; "" where it has all.
std::string unknown_option(const CLI::App& command, int first, int argc, char* argv[]) {
  std::vector<std::string> options;
  for (const CLI::Option* each : command.get_options()) options.push_back(each->get_name());
  for (int i = first; i < argc; ++i) {
    const std::string word(argv[i]);
    if (word.rfind("--", 0) != 0) continue;
    const std::string name = word.substr(0, word.find('='));
    if (std::find(options.begin(), options.end(), name) == options.end())
      return fmt::format("unknown option '{}'{}", name, did_you_mean(name, options));
  }
  return {};
}

// An unknown command or option, with a suggestion. Commands may have others below them.
std::string explain(const CLI::App& app, const CLI::ParseError& error, int argc, char* argv[]) {
  if (argc < 2) return "heddle: which command? One of " + all_names(app);
  std::string words = "heddle";
  const CLI::App* used = &app;
  int next = 1;
  for (; next < argc && argv[next][0] != '-' && !used->get_subcommands({}).empty(); ++next) {
    const CLI::App* below = nullptr;
    std::vector<std::string> known;
    for (const CLI::App* each : used->get_subcommands({})) {
      if (!each->get_group().empty()) known.push_back(each->get_name());
      if (each->get_name() == argv[next]) below = each;
    }
    if (!below)
      return fmt::format("{}: unknown command '{}'{}", words, argv[next],
                         did_you_mean(argv[next], known));
    used = below;
    words += std::string(" ") + argv[next];
  }
  const std::string unknown = used == &app ? "" : unknown_option(*used, next, argc, argv);
  return words + ": " + (unknown.empty() ? error.what() : unknown);
}

// The parser of options takes -1 for the largest unsigned number and 010 for 8: numbers are read as
// everywhere else. Throws quantity_error.
void check_number(const CLI::Option& option, const std::string& value) {
  const std::string type = option.get_type_name();  // a range stands behind it
  if (type.rfind("UINT", 0) == 0) parse_unsigned(value);
  if (type.rfind("INT", 0) == 0) parse_integer(value);
  if (type.rfind("FLOAT", 0) == 0) parse_double(value);
}

// An empty value would be taken for none given.
void check_value(const CLI::Option& option, const std::string& value, const std::string& command) {
  const std::string which = fmt::format("heddle {}: {}", command, option.get_name());
  if (trimmed(value).empty()) throw user_error(which + " needs a value that is not empty");
  try {
    check_number(option, value);
  } catch (const quantity_error& error) {
    throw user_error(which + ": " + error.what());
  }
}

void check_values(const CLI::App& command) {
  for (const CLI::Option* each : command.get_options()) {
    if (each->count() == 0 || each->get_expected_max() == 0) continue;
    for (const std::string& value : each->results()) check_value(*each, value, command.get_name());
  }
  for (const CLI::App* each : command.get_subcommands()) check_values(*each);
}

// A command, with its action.
using declared_command = std::pair<CLI::App*, command_action>;

std::vector<declared_command> declare_commands(CLI::App& app) {
  std::vector<declared_command> all;
  const auto add = [&](const std::string& name, const std::string& meaning, const auto& declare) {
    CLI::App* const command = app.add_subcommand(name, meaning);
    all.emplace_back(command, declare(*command));
  };
  add("run", "simulate a netlist", declare_run);
  add("compare", "a netlist with other values, side by side", declare_compare);
  add("check", "build a netlist without running it", declare_check);
  add("show", "print units, address map and links", declare_show);
  add("models", "list unit types, or describe one", declare_models);
  add("report", "write an HTML report about finished runs", declare_report);
  add("docs", "write a page of HTML, man pages and shell completions", declare_docs);
  add("reproduce", "compare with the literature", declare_reproduce);
  add("bench", "speed of the simulator against the kernel's floor", declare_bench);
  for (const registered_command& each : command_registry::instance().commands())
    add(each.name, each.meaning, each.declare);
  add("mmio", "replay or compare logs of run --mmio-log", declare_mmio);
  add("bench-child", "", declare_bench_child);
  all.back().first->group("");  // no help names it
  return all;
}

int perform(const std::vector<declared_command>& commands) {
  try {
    check_standard_output();
    const auto given =
        std::find_if(commands.begin(), commands.end(),
                     [](const declared_command& each) { return each.first->parsed(); });
    check_values(*given->first);
    return given->second();
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
  } catch (const std::exception& error) {  // the kernel's main would print a number of its own
    std::fprintf(stderr, "internal error: %s\n", error.what());
    return 1;
  }
}

int parse_and_perform(int argc, char* argv[]) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may grow no more is an error of its writer
  clear_up_at_signals();
  CLI::App app("Heddle: a virtual platform for in-network computing", "heddle");
  app.require_subcommand(1);
  app.set_version_flag("--version", HEDDLE_VERSION);
  set_up_help(app);
  const std::vector<declared_command> commands = declare_commands(app);
  try {
    app.parse(with_defaults(argc, argv));
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "%s\n", control_escaped(explain(app, error, argc, argv)).c_str());
    return 2;
  }
  set_up_messages();
  set_kernel_resolution();
  explain_exhaustion();
  return perform(commands);
}

}  // namespace

int run_command_line(int argc, char* argv[]) {
  if (!runs_here()) {
    std::fputs("heddle was built for a processor with BMI2: build it with -DHEDDLE_BMI=OFF\n",
               stderr);
    return 2;
  }
  return finish_standard_output(parse_and_perform(argc, argv));
}

}  // namespace heddle
