#include "tests/fidelity/mesh_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "models/noc/mesh_traffic.hpp"
#include "platform/netlist/builder.hpp"
#include "platform/netlist/planner.hpp"

namespace heddle {
namespace {

double cycles(std::uint64_t fs) {
  return static_cast<double>(fs) / static_cast<double>(fs_per_ns);
}

mesh_result summarize(const simulation& sim, const mesh_configuration& c) {
  mesh_result result;
  std::uint64_t packets = 0, latency = 0, network_latency = 0, window_flits = 0, hops = 0;
  std::uint64_t smallest = UINT64_MAX;
  for (const unit* each : sim.units()) {
    const auto* node = dynamic_cast<const mesh_traffic*>(each);
    if (!node) continue;
    const mesh_traffic_counters& count = node->count();
    window_flits += count.window_flits.raw();
    packets += count.measured.raw();
    latency += count.latency.raw();
    network_latency += count.network_latency.raw();
    hops += count.hops.raw();
    result.misdelivered += count.misdelivered.raw();
    if (count.measured.raw() > 0) smallest = std::min(smallest, count.min_network_latency.raw());
  }
  const auto total = static_cast<double>(std::max<std::uint64_t>(packets, 1));
  result.latency = cycles(latency) / total;
  result.network_latency = cycles(network_latency) / total;
  result.hops = static_cast<double>(hops) / total;
  result.min_network_latency = cycles(smallest);
  result.accepted =
      static_cast<double>(window_flits) / static_cast<double>(c.measure) / (c.size * c.size);
  return result;
}

}  // namespace

mesh_result run_mesh(const mesh_configuration& c, bool stops_early) {
  const auto cycles_of = [](std::uint64_t count) { return fmt::format("{} ns", count); };
  const std::vector<netlist_override> overrides = {
      {"params.width", std::to_string(c.size)},
      {"params.height", std::to_string(c.size)},
      {"params.pattern", c.pattern},
      {"params.rate", fmt::format("{}", c.rate)},
      {"params.packet_flits", std::to_string(c.packet_flits)},
      {"params.vcs", std::to_string(c.vcs)},
      {"params.buffer", std::to_string(c.buffer)},
      {"params.channel", std::to_string(c.channel)},
      {"node[*].warmup", cycles_of(c.warmup)},
      {"node[*].measure", cycles_of(c.measure)},
      {"node[*].cooldown", cycles_of(c.cooldown)}};
  const netlist_plan plan = plan_netlist("mesh_traffic.yaml", overrides);
  simulation sim(plan.settings);
  const built_system system(plan, sim);
  if (stops_early)
    sc_core::sc_start(to_sc_time((c.warmup + c.measure + c.cooldown) * fs_per_ns));
  else
    sc_core::sc_start();
  return summarize(sim, c);
}

}  // namespace heddle
