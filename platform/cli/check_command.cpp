#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <systemc>

#include "platform/cli/commands.hpp"
#include "platform/cli/netlist_arguments.hpp"
#include "platform/netlist/builder.hpp"
#include "platform/run/wave_globs.hpp"
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

// Signals are declared where somebody listens.
struct deaf_sink final : trace_sink {
  void begin(const trace_catalog&) override {}
  void open_window(fs_t, const std::vector<trace_value>&) override {}
  void changes(const std::vector<trace_change>&) override {}
  void close_window(fs_t) override {}
  void finish() override {}
};

int check(const netlist_arguments& given) {
  const netlist_plan plan = plan_netlist(given.file, given.overrides());
  waveform_options traced;
  if (plan.trace) traced = read_trace(*plan.trace, "");
  simulation sim(plan.settings, traced.selection);
  deaf_sink nobody;
  if (plan.trace) sim.trace().add_sink(nobody);
  const built_system system(plan, sim);
  std::optional<workload_set> workloads;
  if (plan.workload)
    workloads.emplace(sim, workload_registry::instance().without_replaced(*plan.workload), "");
  if (plan.trace) {
    trace_registers(sim, traced);
    check_patterns(sim, traced);
  }
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
