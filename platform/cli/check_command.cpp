#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <systemc>

#include "platform/cli/commands.hpp"
#include "platform/cli/netlist_arguments.hpp"
#include "platform/netlist/builder.hpp"
#include "platform/services/system_findings.hpp"
#include "platform/workload/workload_set.hpp"

namespace heddle {
namespace {

// What only shows when the kernel elaborates is found, too. It stops before the first process runs,
// so no firmware starts and no operands are made; sc_start() could not do that.
void elaborate() {
  constexpr bool runs_nothing = true;
  sc_core::sc_get_curr_simcontext()->initialize(runs_nothing);
}

int check(const netlist_arguments& given) {
  const netlist_plan plan = plan_netlist(given.file, given.overrides());
  simulation sim(plan.settings);
  const built_system system(plan, sim);
  std::optional<workload_set> workloads;
  if (plan.workload)
    workloads.emplace(sim, workload_registry::instance().without_replaced(*plan.workload), "");
  elaborate();
  for (const std::string& each : sim.service<system_findings>().warnings)
    std::fprintf(stderr, "warning: %s\n", each.c_str());
  std::printf("ok: %s has %zu units, %zu links, %zu address ranges\n", plan.name.c_str(),
              plan.units.size(), plan.links.size(), plan.ranges.size());
  for (const std::string& each : sim.service<system_findings>().remarks)
    std::printf("  %s\n", each.c_str());
  return 0;
}

}  // namespace

command_action declare_check(CLI::App& command) {
  const auto given = std::make_shared<netlist_arguments>();
  given->declare(command);
  return [given] { return check(*given); };
}

}  // namespace heddle
