#include "tests/bench/collective_run.hpp"

#include <unistd.h>

#include <fstream>

#include "platform/netlist/builder.hpp"
#include "platform/netlist/planner.hpp"
#include "platform/run/progress.hpp"
#include "platform/run/run.hpp"
#include "platform/services/link_directory.hpp"
#include "platform/workload/workload_set.hpp"
#include "platform/yaml/parse.hpp"
#include "tests/bench/measurement.hpp"

namespace heddle {
namespace {

std::vector<netlist_override> parsed(const std::vector<std::string>& overrides) {
  std::vector<netlist_override> result;
  for (const std::string& each : overrides) result.push_back(parse_override(each));
  return result;
}

// Neither checked nor explained, unless the overrides say so: that is left out of the measure.
netlist_plan plan_of(const std::string& netlist, const std::vector<std::string>& overrides) {
  std::vector<netlist_override> sets = {{"workload.check", "off"}, {"workload.explain", "off"}};
  for (const netlist_override& each : parsed(overrides)) sets.push_back(each);
  return plan_netlist(netlist, sets);
}

netlist_plan plan_of_text(const std::string& text) {
  return plan_netlist(parse_yaml_text(text, "bench.yaml"), "bench.yaml", {});
}

double hops_of(simulation& sim) {
  double sum = 0;
  for (const link_record& each : sim.service<link_directory>().links)
    sum += static_cast<double>(each.figures().packets);
  return sum;
}

double resident_bytes() {
  std::uint64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

forked_result simulate_plan(const netlist_plan& plan) {
  simulation sim(plan.settings);
  const built_system system(plan, sim);
  const workload_set workloads(sim, *plan.workload, "");
  workload_runner& workload = *workloads.runners().front();
  forked_result measured;
  double start = 0, hops = 0;
  workload.on_start = [&] {
    start = cpu_seconds();
    hops = hops_of(sim);
  };
  workload.on_result = [&](const workload_result& result) {
    measured.cpu_s = cpu_seconds() - start;
    measured.simulated_s = seconds(result.end - result.start);
    measured.hops = hops_of(sim) - hops;
  };
  progress unseen(true);
  simulate(unseen);
  return measured;
}

}  // namespace

forked_result simulate_collective(const std::string& netlist,
                                  const std::vector<std::string>& overrides) {
  return run_forked([&] { return simulate_plan(plan_of(netlist, overrides)); });
}

forked_result simulate_collective_of(const std::string& text) {
  return run_forked([&] { return simulate_plan(plan_of_text(text)); });
}

forked_result start_up(const std::string& text) {
  return run_forked([&] {
    const double bytes = resident_bytes();
    const double before = cpu_seconds();
    const netlist_plan plan = plan_of_text(text);
    simulation sim(plan.settings);
    const built_system system(plan, sim);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    forked_result measured;
    measured.cpu_s = cpu_seconds() - before;
    measured.bytes = resident_bytes() - bytes;
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
