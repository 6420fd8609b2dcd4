#include "tests/bench/collective_run.hpp"

#include "platform/netlist/builder.hpp"
#include "platform/netlist/planner.hpp"
#include "platform/run/progress.hpp"
#include "platform/run/run.hpp"
#include "platform/workload/workload_set.hpp"
#include "tests/bench/measurement.hpp"

namespace heddle {
namespace {

std::vector<netlist_override> parsed(const std::vector<std::string>& overrides) {
  std::vector<netlist_override> result;
  for (const std::string& each : overrides) result.push_back(parse_override(each));
  return result;
}

}  // namespace

forked_result simulate_collective(const std::string& netlist,
                                  const std::vector<std::string>& overrides) {
  return run_forked([&] {
    std::vector<netlist_override> sets = parsed(overrides);
    sets.push_back({"workload.check", "off"});
    sets.push_back({"workload.explain", "off"});
    const netlist_plan plan = plan_netlist(netlist, sets);
    simulation sim(plan.settings);
    const built_system system(plan, sim);
    const workload_set workloads(sim, *plan.workload, "");
    workload_runner& workload = *workloads.runners().front();
    forked_result measured;
    double start = 0;
    workload.on_start = [&] { start = cpu_seconds(); };
    workload.on_result = [&](const workload_result& result) {
      measured = {cpu_seconds() - start, seconds(result.end - result.start)};
    };
    progress unseen(true);
    simulate(unseen);
    return measured;
  });
}

forked_result run_ring(const std::vector<std::string>& overrides, const std::string& directory,
                       const std::string& wave) {
  return run_forked([&] {
    run_options options;
    options.netlist = "ring_allreduce.yaml";
    options.overrides = parsed(overrides);
    options.directory = directory;
    options.wave = wave;
    options.is_quiet = true;
    const double before = cpu_seconds();
    const run_report report = run_netlist(options);
    return forked_result{cpu_seconds() - before, report.simulated_s};
  });
}

}  // namespace heddle
