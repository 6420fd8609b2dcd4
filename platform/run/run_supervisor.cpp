#include "platform/run/run_supervisor.hpp"

#include "platform/debug/gdb_server.hpp"
#include "platform/run/memory_need.hpp"
#include "platform/run/run_outcome.hpp"
#include "platform/run/utilization.hpp"
#include "platform/services/end_of_run.hpp"
#include "platform/services/run_control.hpp"
#include "platform/services/system_findings.hpp"

namespace heddle {
namespace {

// The debugger's user is told everything, also what is on the terminal already.
std::vector<std::string> for_debugger(const run_report& report) {
  if (report.failures.empty()) return {};
  std::vector<std::string> all = report.refusals;
  all.insert(all.end(), report.failures.begin(), report.failures.end());
  return all;
}

// Also where the run is rejected.
class end_actions {
 public:
  explicit end_actions(simulation& sim) : due_(sim.service<end_of_run>()) {}
  end_actions(const end_actions&) = delete;
  end_actions& operator=(const end_actions&) = delete;
  ~end_actions() {
    for (const auto& action : due_.actions) action();
  }

 private:
  const end_of_run& due_;
};

// Nothing is left that could happen.
bool is_starved(run_end how) {
  return how == run_end::by_itself && sc_core::sc_get_status() != sc_core::SC_STOPPED;
}

}  // namespace

run_supervisor::run_supervisor(const run_options& options, const netlist_plan& plan,
                               const std::optional<core_view>& tested, simulation& sim,
                               waveform_output& wave, const std::string& directory)
    : options_(options), sim_(sim), shown_(options.is_quiet) {
  if (tested) registers_.emplace(*tested, sim);
  if (!plan.workload) return;
  workloads_.emplace(sim, *plan.workload, directory);
  watch_.emplace(*workloads_, sim, shown_, wave, options.is_quiet);
}

void run_supervisor::run(run_report& report) {
  std::optional<gdb_server> gdb;
  if (options_.gdb) gdb.emplace(sim_, *options_.gdb);
  const run_end how = simulate_to_end(gdb ? &*gdb : nullptr);
  note_end(how, options_.until, sim_, report);
  collect({now_fs(), !is_starved(how)}, report);
  judge(sim_, workloads_ ? &*workloads_ : nullptr, report);
  if (registers_) report.registers = registers_->text();
  if (gdb) gdb->finish(report.exit_code, for_debugger(report));
  if (report.loads.empty()) take_whole_run(report);
}

// Called for a run without jobs, and for one that ended before its first job.
void run_supervisor::take_whole_run(run_report& report) {
  report.busiest = utilization_window(sim_).close(now_fs());
  report.bottleneck = busiest_sentence(report.busiest);
}

run_end run_supervisor::simulate_to_end(gdb_server* debugger) {
  const end_actions afterwards(sim_);
  run_end end = run_end::by_itself;
  const auto look = [debugger] { debugger->look(); };
  with_memory_need(workloads_ ? &*workloads_ : nullptr, [&] {
    end = simulate(shown_, debugger ? look : std::function<void()>(), options_.until);
  });
  auto& control = sim_.service<run_control>();
  control.rethrow_rejection();
  if (is_starved(end)) control.starve();
  return end;
}

void run_supervisor::collect(const run_extent& run, run_report& report) {
  if (watch_) watch_->finish(report);
  report.simulated_s = seconds(run.end);
  report.traffic = summarize(sim_.service<traffic_directory>(), run);
  report.packet_traffic = summarize_packets(sim_.service<traffic_directory>(), run);
  auto& control = sim_.service<run_control>();
  if (registers_ && !registers_->is_finished() && control.running_cores() == 0 &&
      control.failures().empty())
    control.fail("the register test has not come to its end");
  for (const auto& find : sim_.service<system_findings>().afterwards)
    for (const std::string& each : find()) report.remarks.push_back(each);
}

}  // namespace heddle
