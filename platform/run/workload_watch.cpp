#include "platform/run/workload_watch.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "platform/services/link_directory.hpp"

namespace heddle {
namespace {

// The last job of an algorithm stands for it.
void keep_load(const std::vector<workload_result>& results, algorithm_load last,
               std::vector<algorithm_load>& loads) {
  for (algorithm_load& each : loads)
    if (results[each.result].label() == results[last.result].label()) {
      each = std::move(last);
      return;
    }
  loads.push_back(std::move(last));
}

std::string bottlenecks(const run_report& report, const link_directory& links) {
  std::string text;
  for (const algorithm_load& each : report.loads) {
    const workload_result& result = report.results[each.result];
    if (!text.empty()) text += "\n";
    if (!result.workload.empty()) text += result.workload + ": ";
    if (report.loads.size() > 1 && !result.algorithm.empty()) text += result.label() + ": ";
    text += bottleneck_sentence(each.shares, result.of_bound, result.path ? &*result.path : nullptr,
                                links, each.remedy);
  }
  return text;
}

}  // namespace

workload_watch::watched::watched(workload_runner& of, simulation& sim, bool is_quiet)
    : runner(of), table(is_quiet, of.what().algorithms(), of.what().remark()), window(sim) {}

workload_watch::workload_watch(workload_set& workloads, simulation& sim, progress& shown,
                               waveform_output& wave, bool is_quiet)
    : workloads_(workloads),
      sim_(sim),
      shown_(shown),
      wave_(wave),
      prints_whole_tables_(!is_quiet && workloads.runners().size() > 1) {
  shown.expect(workloads.expected_work());
  for (const auto& each : workloads.runners()) {
    all_.push_back(std::make_unique<watched>(*each, sim, is_quiet || prints_whole_tables_));
    follow(*all_.back());
  }
}

void workload_watch::follow(watched& one) {
  wave_.show_first(one.runner.trace_path());
  one.runner.on_start = [this, &one] {
    one.window.open();
    wave_.start(one.runner.trace_path());
  };
  one.runner.on_end = [&one](fs_t length) { one.busiest = one.window.close(length); };
  one.runner.on_result = [this, &one](const workload_result& result) { take(one, result); };
}

void workload_watch::take(watched& one, const workload_result& result) {
  shown_.clear();
  one.table.add(result);
  keep_load(one.runner.results(),
            {one.runner.results().size() - 1, one.busiest,
             result.path ? remedy_for(*result.path, sim_) : ""},
            one.loads);
  shown_.done(result.work);
  wave_.mark(one.runner.trace_path(), result);
  last_ = &one;
  const auto unfinished =
      std::find_if(all_.begin(), all_.end(), [](const std::unique_ptr<watched>& each) {
        return each->runner.results().size() < each->runner.what().jobs();
      });
  print_tables(static_cast<std::size_t>(unfinished - all_.begin()));
}

void workload_watch::print_tables(std::size_t end) {
  if (!prints_whole_tables_) return;
  for (; printed_ < end; ++printed_) std::fputs(all_[printed_]->table.text().c_str(), stdout);
  std::fflush(stdout);
}

std::string workload_watch::tables() const {
  std::string text;
  for (const auto& each : all_) text += each->table.text();
  return text;
}

void workload_watch::finish(run_report& report) {
  shown_.clear();
  print_tables(all_.size());  // what a run that failed has come to
  report.note = workloads_.note();
  report.results = workloads_.results();
  std::size_t first = 0;  // of the workload's results among all
  for (const auto& each : all_) {
    for (const algorithm_load& load : each->loads)
      report.loads.push_back({first + load.result, load.shares, load.remedy});
    first += each->runner.results().size();
    if (each.get() != last_) continue;
    report.last = first - 1;
    report.busiest = each->busiest;
  }
  report.bottleneck = bottlenecks(report, sim_.service<link_directory>());
}

}  // namespace heddle
