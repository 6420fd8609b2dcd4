#include "platform/run/run_outcome.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "platform/buffers/buffer_watch.hpp"
#include "platform/contracts/register_audit.hpp"
#include "platform/services/cut_short.hpp"
#include "platform/services/run_control.hpp"
#include "platform/services/system_findings.hpp"
#include "platform/text/quantity.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {
namespace {

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

}  // namespace

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

// A run that the user has ended is no hang, but nobody can say that its results are right.
void note_end(run_end how, fs_t until, simulation& sim, run_report& report) {
  if (how == run_end::by_itself) return;
  sim.service<cut_short>().is_so = true;
  report.is_cut_short = true;
  const char* what = how == run_end::interrupted ? "interrupted"
                     : until == end_of_time      ? "stopped where simulated time ends,"
                                                 : "ended by --until";
  report.failures.push_back(
      fmt::format("{} after {} of simulated time, before its end", what,
                  format_duration(how == run_end::interrupted ? now_fs() : until)));
}

}  // namespace heddle
