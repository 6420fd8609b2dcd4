#include "tests/fidelity/traffic_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/netlist/builder.hpp"
#include "platform/time/kernel_run.hpp"

namespace heddle {
namespace {

double cycles(std::uint64_t fs) {
  return static_cast<double>(fs) / static_cast<double>(fs_per_ns);
}

}  // namespace

traffic_figures figures_of(const std::vector<const arrival_counters*>& terminals,
                           const traffic_window& window) {
  std::uint64_t packets = 0, latency = 0, network_latency = 0, flits = 0;
  std::uint64_t smallest = UINT64_MAX;
  for (const arrival_counters* each : terminals) {
    flits += each->window_flits.raw();
    packets += each->measured.raw();
    latency += each->latency.raw();
    network_latency += each->network_latency.raw();
    if (each->measured.raw() > 0) smallest = std::min(smallest, each->min_network_latency.raw());
  }
  const auto total = static_cast<double>(std::max<std::uint64_t>(packets, 1));
  return {cycles(latency) / total, cycles(network_latency) / total, cycles(smallest),
          static_cast<double>(flits) / static_cast<double>(window.measure) /
              static_cast<double>(terminals.size())};
}

void run_traffic(const std::string& netlist, std::vector<netlist_override> overrides,
                 const traffic_window& window, bool stops_early,
                 const std::function<void(const simulation&)>& summarize) {
  const auto add = [&](const std::string& name, std::uint64_t count) {
    overrides.push_back({"node[*]." + name, fmt::format("{} ns", count)});
  };
  add("warmup", window.warmup);
  add("measure", window.measure);
  add("cooldown", window.cooldown);
  const netlist_plan plan = plan_netlist(netlist, overrides);
  simulation sim(plan.settings);
  const built_system system(plan, sim);
  if (stops_early)
    run_kernel_for((window.warmup + window.measure + window.cooldown) * fs_per_ns);
  else
    run_kernel();
  summarize(sim);
}

}  // namespace heddle
