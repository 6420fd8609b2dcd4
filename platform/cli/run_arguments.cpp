#include "platform/cli/run_arguments.hpp"

#include <CLI/CLI.hpp>
#include <tuple>

#include "platform/cli/time_arguments.hpp"
#include "platform/run/waveform_output.hpp"
#include "platform/text/number.hpp"

namespace heddle {

run_arguments::run_arguments(CLI::App& command) {
  netlist_.declare(command);
  command.add_option("--out", run_.directory, "run directory (default: out/NAME)");
  declare_waves(command);
  declare_outputs(command);
  declare_firmware_tools(command);
  command.add_option("--until", until_,
                     "end the run at this simulated time, for example \"20 ms\", with all results "
                     "and exit code 1 if it was not over");
  seed_option_ = command.add_option(
      "--seed", seed_,
      "seed of random inputs (default: that of the netlist, which is 1 if it says nothing)");
  command
      .add_option("--threads", run_.threads,
                  "how many threads share the routers and the traffic of a mesh or another network "
                  "of flits, as many as there are idle processors; while they are slower than one, "
                  "one goes on alone; results stay the same")
      ->check(CLI::Range(1, 256));
  command.add_flag("--quiet", run_.is_quiet,
                   "print nothing but the run directory, warnings and failures");
}

void run_arguments::declare_waves(CLI::App& command) {
  command.add_option("--wave", run_.wave,
                     "write waves to this .vcd or .fst file, and a .gtkw beside it");
  command.add_option("--wave-window", windows_, "FROM..TO: when to write waves, repeatable")
      ->allow_extra_args(false);
  command.add_option("--wave-job", wave_job_,
                     "write waves only while a job runs whose title this glob matches: "
                     "'allreduce[3]', '*scin 1 MiB'");
  command.add_option("--wave-when", trigger_,
                     "write waves only while this condition holds, as in "
                     "'gpu[*].dma.channel_0 == ERROR'; also != < <= > >=");
  command.add_option("--wave-before", before_,
                     "also write this long before what --wave-job or --wave-when matches");
  command.add_option("--wave-after", after_, "also write this long after it");
  command.add_option("--wave-signals", signals_, "globs of the signals to write, ! excludes")
      ->allow_extra_args(false);
  command
      .add_option("--wave-registers", run_.traced_registers,
                  "globs of registers to write too, such as 'gpu[0].dma.channel[0].*'")
      ->allow_extra_args(false);
}

void run_arguments::declare_outputs(CLI::App& command) {
  command.add_option("--report", run_.report,
                     "write a report to this HTML file: where the time went, what every part did");
  command.add_option("--perfetto", run_.perfetto,
                     "write what every part did to this file, as trace-event JSON");
  command.add_option("--coverage", run_.coverage,
                     "write to this JSON file which registers, values and states were touched");
  command.add_option("--mmio-log", run_.mmio_log,
                     "write every access of every core to this file, CSV or JSON by its name");
}

void run_arguments::declare_firmware_tools(CLI::App& command) {
  profile_option_ =
      command.add_option("--profile", profile_,
                         "[=GLOB]: time and accesses of each function of the cores' "
                         "firmware, as tables and in profile.json of the run directory");
  auto* const instructions =
      command.add_option("--trace-insn", run_.instructions.file,
                         "[=FILE]: write a line for each instruction that a RISC-V core executes "
                         "(default: instructions.txt of the run directory)");
  command.add_option("--trace-insn-cores", run_.instructions.cores, "glob of the cores")
      ->needs(instructions);
  command.add_option("--trace-insn-window", instruction_window_, "FROM..TO: when")
      ->needs(instructions);
  auto* const test =
      command.add_flag("--test-registers", run_.tests_registers,
                       "run firmware that compares every register that a core sees with its "
                       "description, instead of the netlist's");
  command.add_option("--core", run_.core, "which core tests them, the first if not given")
      ->needs(test);
  auto* const gdb =
      command.add_option("--gdb", gdb_,
                         "[ADDRESS:]PORT: wait for gdb there before anything happens; port 0: "
                         "any that is free, printed; address: 127.0.0.1 if not given");
  gdb_option_ = gdb;
  command.add_option("--gdb-wait", gdb_wait_, "off: start at once, gdb may connect later")
      ->needs(gdb);
}

run_options run_arguments::read() const {
  run_options run = run_;
  run.netlist = netlist_.file;
  run.overrides = netlist_.overrides();
  if (seed_option_->count() > 0) {
    try {
      parse_unsigned(seed_);
    } catch (const quantity_error& error) {
      throw user_error("--seed " + seed_ + ": " + error.what());
    }
    run.overrides.push_back({"seed", seed_});
  }
  if (!signals_.empty()) run.signals = signals_;
  run.windows = read_windows("--wave-window", windows_);
  run.triggers = triggers();
  if (!instruction_window_.empty())
    std::tie(run.instructions.from, run.instructions.to) =
        read_window("--trace-insn-window", instruction_window_);
  if (!until_.empty()) run.until = read_instant("--until", until_);
  if (profile_option_->count() > 0) run.profile = profile_;
  if (gdb_option_->count() > 0) run.gdb = gdb();
  return run;
}

std::vector<trace_trigger> run_arguments::triggers() const {
  std::vector<trace_trigger> read;
  if (!wave_job_.empty()) read.push_back(while_job_runs(wave_job_));
  if (!trigger_.empty()) read.push_back(parse_trigger(trigger_));
  if (read.empty() && !(before_.empty() && after_.empty()))
    throw user_error("--wave-before and --wave-after need --wave-job or --wave-when");
  for (trace_trigger& each : read) {
    if (!before_.empty()) each.before = read_instant("--wave-before", before_);
    if (!after_.empty()) each.after = read_instant("--wave-after", after_);
  }
  return read;
}

// "PORT" or "ADDRESS:PORT".
gdb_options run_arguments::gdb() const {
  gdb_options options;
  const std::size_t colon = gdb_.rfind(':');
  if (colon != std::string::npos) options.address = gdb_.substr(0, colon);
  const std::string port = colon == std::string::npos ? gdb_ : gdb_.substr(colon + 1);
  constexpr std::size_t most_digits = 5;
  constexpr int last_port = 65535;
  const bool is_number = !port.empty() && port.size() <= most_digits &&
                         port.find_first_not_of("0123456789") == std::string::npos;
  options.port = is_number ? std::stoi(port) : -1;
  if (options.port < 0 || options.port > last_port)
    throw user_error("--gdb " + gdb_ + ": expected a port from 0 to 65535, or ADDRESS:PORT");
  if (gdb_wait_ != "on" && gdb_wait_ != "off")
    throw user_error("--gdb-wait " + gdb_wait_ + ": expected on or off");
  options.waits = gdb_wait_ == "on";
  return options;
}

}  // namespace heddle
