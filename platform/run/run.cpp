#include "platform/run/run.hpp"

#include <cstdio>
#include <utility>

#include "platform/netlist/builder.hpp"
#include "platform/run/earlier_results.hpp"
#include "platform/run/huge_heap.hpp"
#include "platform/run/recordings.hpp"
#include "platform/run/results.hpp"
#include "platform/run/run_directory.hpp"
#include "platform/run/run_supervisor.hpp"
#include "platform/services/system_findings.hpp"
#include "platform/time/clock_domain.hpp"
#include "platform/workload/boot_image.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {
namespace {

netlist_plan plan_for(const run_options& options) {
  netlist_plan plan = plan_netlist(options.netlist, options.overrides);
  if (plan.workload) plan.workload = workload_registry::instance().without_replaced(*plan.workload);
  plan.settings.covers_registers = !options.coverage.empty() || !options.report.empty();
  return plan;
}

// Those that have been printed are not printed again.
void print_warnings(simulation& sim) {
  for (const std::string& each : std::exchange(sim.service<system_findings>().warnings, {}))
    std::fprintf(stderr, "warning: %s\n", each.c_str());
}

}  // namespace

run_report run_netlist(const run_options& options) {
  ask_for_huge_heap();
  netlist_plan plan = plan_for(options);
  std::optional<core_view> tested;
  if (options.tests_registers) tested = prepare_register_test(plan, options.core);
  run_report report;
  report.directory = options.directory.empty() ? "out/" + plan.name : options.directory;
  run_directory directory(report.directory);
  const earlier_results earlier(report.directory);
  recordings recorded(options, plan, report.directory);
  simulation sim(plan.settings, recorded.selection());
  recorded.attach(sim);
  sim.service<clock_domains>().use_threads(recorded.usable_threads());
  const built_system system(plan, sim);
  const boot_blocks boot("boot_blocks", sim.service<rank_directory>().cores);
  print_warnings(sim);
  recorded.check_units(sim);
  run_supervisor supervisor(options, plan, tested, sim, recorded.wave(), report.directory);
  print_warnings(sim);  // of workloads
  recorded.wave().check_signals();
  supervisor.run(report);
  recorded.commit(sim, report);
  write_results(plan, sim, report, supervisor.tables());
  directory.keep();
  earlier.remove_stale();
  recorded.write_report(sim, report);
  return report;
}

}  // namespace heddle
