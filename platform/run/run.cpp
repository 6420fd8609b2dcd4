#include "platform/run/run.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "platform/buffers/buffer_watch.hpp"
#include "platform/netlist/builder.hpp"
#include "platform/registers/register_audit.hpp"
#include "platform/report/perfetto_writer.hpp"
#include "platform/report/report_page.hpp"
#include "platform/report/report_record.hpp"
#include "platform/run/coverage.hpp"
#include "platform/run/function_profile.hpp"
#include "platform/run/huge_heap.hpp"
#include "platform/run/memory_need.hpp"
#include "platform/run/mmio_log.hpp"
#include "platform/run/output_names.hpp"
#include "platform/run/progress.hpp"
#include "platform/run/register_test.hpp"
#include "platform/run/results.hpp"
#include "platform/run/run_directory.hpp"
#include "platform/run/waveform_output.hpp"
#include "platform/run/workload_watch.hpp"
#include "platform/services/cut_short.hpp"
#include "platform/services/run_control.hpp"
#include "platform/services/system_findings.hpp"
#include "platform/text/quantity.hpp"
#include "platform/time/clock_domain.hpp"
#include "platform/trace/output_file.hpp"
#include "platform/workload/boot_image.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {
namespace {

// The command line first, then the netlist.
waveform_options choose_waveforms(const run_options& options, const netlist_plan& plan,
                                  const std::string& directory) {
  waveform_options waves;
  if (plan.trace) waves = read_trace(*plan.trace, directory);
  if (!options.wave.empty()) waves.file = options.wave;
  if (waves.file.empty() && (options.signals || !options.windows.empty() ||
                             !options.traced_registers.empty() || !options.triggers.empty()))
    throw user_error(
        "--wave-window, --wave-when, --wave-job, --wave-signals and --wave-registers need --wave "
        "FILE");
  if (options.signals) waves.selection.patterns = *options.signals;
  waves.registers.insert(waves.registers.end(), options.traced_registers.begin(),
                         options.traced_registers.end());
  if (!options.windows.empty()) {
    waves.selection.from = options.windows.front().first;
    waves.selection.to = options.windows.front().second;
    waves.more_windows.assign(options.windows.begin() + 1, options.windows.end());
  }
  waves.triggers = options.triggers;
  return waves;
}

// Signals are told to one stream, in order.
int usable_threads(const run_options& options, const waveform_options& waves) {
  const bool records = !waves.file.empty() || !options.report.empty() || !options.perfetto.empty();
  if (!records || options.threads == 1) return options.threads;
  std::fprintf(stderr, "warning: one thread instead of %d, because signals are recorded\n",
               options.threads);
  return 1;
}

// What the user wanted to end is no hang, and nobody can say that it is right.
void note_end(run_end how, fs_t until, simulation& sim, run_report& report) {
  if (how == run_end::by_itself) return;
  sim.service<cut_short>().is_so = true;
  const char* what = how == run_end::interrupted ? "interrupted"
                     : until == end_of_time      ? "stopped where simulated time ends,"
                                                 : "ended by --until";
  report.failures.push_back(
      fmt::format("{} after {} of simulated time, before its end", what,
                  format_duration(how == run_end::interrupted ? now_fs() : until)));
}

// Each was told where it happened; the summary keeps them.
void judge(const register_audit_log& audit, run_report& report) {
  if (audit.fails_run())
    report.failures.insert(report.failures.begin(), audit.tally());
  else
    report.violations = audit.tally();
  for (const register_audit& each : audit.records())
    if (report.refusals.size() < register_audit_log::shown_limit || each.is_fatal())
      report.refusals.push_back(
          fmt::format("{}: {}{}", name_of(each.severity), each.heading(), each.full_text()));
  if (audit.count() > report.refusals.size())
    report.refusals.push_back(
        fmt::format("and {} more wrong register accesses", audit.count() - report.refusals.size()));
}

// A line of firmware is told once of a buffer, and counted.
void note_repeats(const buffer_directory& buffers, run_report& report) {
  for (const auto& [line, count] : buffers.reports_by_line) {
    if (count == 1) continue;
    report.refusals.push_back(fmt::format("the same, {} times in all: {}", count, line));
    spdlog::warn(report.refusals.back());
  }
}

// What nobody has done who should have; "" if there is nothing. `workloads`: null without one.
std::string unfinished(simulation& sim, const workload_set* workloads) {
  const int running = sim.service<run_control>().running_cores();
  if (running > 0)
    return fmt::format("hang: nothing happens after {}, but the firmware of {} has not finished",
                       format_duration(now_fs()),
                       running == 1 ? "a core" : std::to_string(running) + " cores");
  if (workloads && workloads->done() < workloads->jobs())
    return fmt::format("the firmware of all cores has ended, but only {} of {} jobs are done",
                       workloads->done(), workloads->jobs());
  return {};
}

void judge(simulation& sim, const workload_set* workloads, run_report& report) {
  const std::vector<std::string>& seen = sim.service<run_control>().failures();
  report.failures.insert(report.failures.begin(), seen.begin(), seen.end());
  const register_audit_log& audit = sim.service<register_audit_log>();
  const bool is_stopped = audit.count(contract_severity::fatal) > 0;
  const std::string missing = unfinished(sim, workloads);
  if (report.failures.empty() && !missing.empty() && !is_stopped)
    report.failures.push_back(missing);
  if (audit.count() > 0 && !audit.is_quiet()) judge(audit, report);
  note_repeats(sim.service<buffer_directory>(), report);
  if (!report.failures.empty()) {
    report.exit_code = 1;
    for (const auto& explain : sim.service<system_findings>().standstills) {
      const std::string reason = explain();
      if (!reason.empty()) report.failures.insert(report.failures.begin(), reason);
    }
    for (const unit* each : sim.units()) {
      const std::string text = each->waiting_for();
      if (!text.empty()) report.waiting.push_back(each->path() + " waits for " + text);
    }
  }
}

std::string open_instructions(const run_options& options, simulation& sim,
                              const run_report& report) {
  instruction_log_options wanted = options.instructions;
  if (wanted.file == "*") wanted.file = report.directory + "/instructions.txt";
  sim.service<instruction_log>().open(wanted);
  return wanted.file;
}

// Also what the terminal has been told before.
std::vector<std::string> for_debugger(const run_report& report) {
  if (report.failures.empty()) return {};
  std::vector<std::string> all = report.refusals;
  all.insert(all.end(), report.failures.begin(), report.failures.end());
  return all;
}

}  // namespace

run_report run_netlist(const run_options& options) {
  ask_for_huge_heap();
  netlist_plan plan = plan_netlist(options.netlist, options.overrides);
  if (plan.workload) plan.workload = workload_registry::instance().without_replaced(*plan.workload);
  plan.settings.covers_registers = !options.coverage.empty() || !options.report.empty();
  std::optional<core_view> tested;
  if (options.tests_registers) tested = prepare_register_test(plan, options.core);
  run_report report;
  report.directory = options.directory.empty() ? "out/" + plan.name : options.directory;
  run_directory directory(report.directory);
  const waveform_options waves = choose_waveforms(options, plan, report.directory);
  check_output_names(
      plan, report.directory,
      {{"--wave", waves.file},
       {"--wave", waves.file.empty() ? "" : save_file_of(waves.file)},
       {"--coverage", options.coverage},
       {"--mmio-log", options.mmio_log},
       {"--trace-insn", options.instructions.file == "*" ? "" : options.instructions.file},
       {"--report", options.report},
       {"--perfetto", options.perfetto}});

  // Before the simulation: what cannot be written is said at once.
  std::optional<output_file> coverage;
  if (!options.coverage.empty()) coverage.emplace(options.coverage);
  report.wave = waves.file;
  simulation sim(plan.settings, waves.selection);
  waveform_output wave(sim, waves);
  timeline recorded;
  if (!options.report.empty()) sim.trace().add_sink(recorded);
  std::optional<perfetto_writer> perfetto;
  if (!options.perfetto.empty()) sim.trace().add_sink(perfetto.emplace(options.perfetto));
  if (!options.mmio_log.empty()) sim.service<mmio_log>().open(options.mmio_log);
  if (!options.instructions.file.empty())
    report.instructions = open_instructions(options, sim, report);
  sim.service<profile_directory>().wanted = options.profile;
  sim.service<clock_domains>().use_threads(usable_threads(options, waves));
  const built_system system(plan, sim);
  const boot_blocks boot("boot_blocks", sim.service<rank_directory>().cores);
  for (const std::string& each : sim.service<system_findings>().warnings)
    std::fprintf(stderr, "warning: %s\n", each.c_str());
  sim.service<instruction_log>().check_cores();
  check_profile(sim);
  wave.add_registers(waves.registers);
  std::optional<register_test> registers;
  if (tested) registers.emplace(*tested, sim);
  utilization_window window(sim);
  progress shown(options.is_quiet);
  std::optional<workload_set> workloads;
  std::optional<workload_watch> watch;
  if (plan.workload) {
    workloads.emplace(sim, *plan.workload, report.directory);
    watch.emplace(*workloads, sim, shown, wave, options.is_quiet);
  } else {
    window.open();
  }
  wave.check_signals();
  std::optional<gdb_server> gdb;
  if (options.gdb) gdb.emplace(sim, *options.gdb);
  run_end end = run_end::by_itself;
  with_memory_need(workloads ? &*workloads : nullptr, [&] {
    end = simulate(shown, gdb ? [&gdb] { gdb->look(); } : std::function<void()>(), options.until);
  });
  sim.service<run_control>().rethrow_rejection();
  if (end == run_end::by_itself && sc_core::sc_get_status() != sc_core::SC_STOPPED)
    sim.service<run_control>().starve();
  note_end(end, options.until, sim, report);
  if (watch) watch->finish(report);
  report.simulated_s = seconds(now_fs());
  report.traffic = summarize(sim.service<traffic_directory>());
  report.packet_traffic = summarize_packets(sim.service<traffic_directory>(), now_fs());
  if (registers && !registers->is_finished() && sim.service<run_control>().running_cores() == 0 &&
      sim.service<run_control>().failures().empty())
    sim.service<run_control>().fail("the register test has not come to its end");
  for (const auto& find : sim.service<system_findings>().afterwards)
    for (const std::string& each : find()) report.remarks.push_back(each);
  judge(sim, workloads ? &*workloads : nullptr, report);
  if (registers) report.registers = registers->text();
  if (gdb) gdb->finish(report.exit_code, for_debugger(report));
  if (!watch) {
    report.busiest = window.close(now_fs());
    report.bottleneck = busiest_sentence(report.busiest);
  }
  if (waves.file.empty() && (perfetto || !options.report.empty())) sim.trace().finish(now_fs());
  if (!wave.finish(now_fs())) report.wave.clear();
  sim.service<mmio_log>().commit();
  sim.service<instruction_log>().commit();
  if (options.profile) report.profile = write_profile(sim, report.directory);
  if (coverage) report.coverage = write_coverage(sim, *coverage).text();
  write_results(plan, sim, report, watch ? watch->tables() : "");
  directory.keep();
  if (!options.report.empty()) {
    write_text(report.directory + "/report.json", report_record(sim, report, recorded));
    write_report_page({report.directory}, options.report);
  }
  return report;
}

}  // namespace heddle
