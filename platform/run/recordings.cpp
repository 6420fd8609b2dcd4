#include "platform/run/recordings.hpp"

#include <cstdio>

#include "platform/report/report_page.hpp"
#include "platform/run/coverage.hpp"
#include "platform/run/function_profile.hpp"
#include "platform/run/mmio_log.hpp"
#include "platform/run/output_names.hpp"
#include "platform/run/report_record.hpp"
#include "platform/run/results.hpp"

namespace heddle {
namespace {

// The command line first, then the netlist.
waveform_options choose_waveforms(const run_options& options, const netlist_plan& plan,
                                  const std::string& directory) {
  waveform_options waves;
  if (plan.trace) waves = read_trace(*plan.trace, directory);
  if (!options.wave.empty()) {
    waves.file = options.wave;
    waves.file_place = {};
  }
  if (waves.file.empty() && (options.signals || !options.windows.empty() ||
                             !options.traced_registers.empty() || !options.triggers.empty()))
    throw user_error(
        "--wave-window, --wave-when, --wave-job, --wave-signals and --wave-registers need --wave "
        "FILE");
  if (options.signals) waves.selection.patterns = *options.signals;
  waves.registers.insert(waves.registers.end(), options.traced_registers.begin(),
                         options.traced_registers.end());
  if (!options.windows.empty()) waves.windows = options.windows;
  waves.triggers = options.triggers;
  waves.is_shared = !options.report.empty() || !options.perfetto.empty();
  return waves;
}

// "*" stands for the usual file.
std::string instruction_file(const run_options& options, const std::string& directory) {
  const std::string& wanted = options.instructions.file;
  return wanted == "*" ? directory + "/instructions.txt" : wanted;
}

}  // namespace

recordings::recordings(const run_options& options, const netlist_plan& plan,
                       const std::string& directory)
    : options_(options),
      directory_(directory),
      waves_(choose_waveforms(options, plan, directory)),
      instructions_(instruction_file(options, directory)) {
  const std::string wave = waves_.file_place.file.empty() ? "--wave" : "trace.wave";
  check_output_names(
      plan, directory,
      {{wave, waves_.file, waves_.file_place},
       {wave, waves_.file.empty() ? "" : save_file_of(waves_.file), waves_.file_place},
       {"--coverage", options.coverage},
       {"--mmio-log", options.mmio_log},
       {"--trace-insn", options.instructions.file == "*" ? "" : options.instructions.file},
       {"--report", options.report},
       {"--perfetto", options.perfetto}});
  if (!options.coverage.empty()) coverage_.emplace(options.coverage);
  if (!options.report.empty()) page_.emplace(options.report);
}

int recordings::usable_threads() const {
  const bool records =
      !waves_.file.empty() || !options_.report.empty() || !options_.perfetto.empty();
  if (!records || options_.threads == 1) return options_.threads;
  std::fprintf(stderr, "warning: one thread instead of %d, because signals are recorded\n",
               options_.threads);
  return 1;
}

// Where other sinks record the whole run, a last pattern selects everything. Those before it stay,
// so that one that matches nothing is still reported.
trace_selection recordings::selection() const {
  trace_selection traced = waves_.selection;
  if (waves_.is_shared) traced.patterns.push_back("*");
  return traced;
}

void recordings::record_all(simulation& sim, trace_sink& sink) {
  if (waves_.file.empty()) return sim.trace().add_sink(sink);
  windowed_sink& until_end = until_end_.emplace_back(sink);
  until_end.add_window(0, fs_never);
  sim.trace().add_sink(without_registers_.emplace_back(
      until_end, [this](const std::string& signal) { return !wave_->shows_register(signal); }));
}

void recordings::attach(simulation& sim) {
  wave_.emplace(sim, waves_);
  if (!options_.report.empty()) record_all(sim, timeline_);
  if (!options_.perfetto.empty()) record_all(sim, perfetto_.emplace(options_.perfetto));
  if (!options_.mmio_log.empty()) sim.service<mmio_log>().open(options_.mmio_log);
  if (!instructions_.empty()) {
    instruction_log_options wanted = options_.instructions;
    wanted.file = instructions_;
    sim.service<instruction_log>().open(wanted);
  }
  sim.service<profile_directory>().wanted = options_.profile;
}

void recordings::check_units(simulation& sim) {
  sim.service<instruction_log>().check_cores();
  check_profile(sim);
  wave_->add_registers();
}

void recordings::commit(simulation& sim, run_report& report) {
  for (windowed_sink& each : until_end_) each.close_at(now_fs());
  if (waves_.file.empty() && (perfetto_ || !options_.report.empty())) sim.trace().finish(now_fs());
  report.wave = wave_->finish(now_fs()) ? waves_.file : "";
  sim.service<mmio_log>().commit();
  sim.service<instruction_log>().commit();
  report.instructions = instructions_;
  if (options_.profile) report.profile = write_profile(sim, directory_);
  if (coverage_) report.coverage = write_coverage(sim, *coverage_).text();
}

void recordings::write_report(simulation& sim, const run_report& report) {
  if (!page_) return;
  write_text(directory_ + "/report.json", report_record(sim, report, timeline_));
  page_->write(report_page({directory_}));
  page_->commit();
}

}  // namespace heddle
