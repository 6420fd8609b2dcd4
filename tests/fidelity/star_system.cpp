#include "tests/fidelity/star_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "models/traffic/traffic_node.hpp"
#include "platform/netlist/builder.hpp"
#include "platform/netlist/planner.hpp"

namespace heddle {
namespace {

double cycles(double fs) {
  return fs / static_cast<double>(fs_per_ns);
}

star_result summarize(const simulation& sim, const star_configuration& c) {
  star_result result;
  std::uint64_t packets = 0, latency = 0, network_latency = 0, window_flits = 0;
  std::uint64_t smallest = UINT64_MAX;
  for (const unit* each : sim.units()) {
    const auto* node = dynamic_cast<const traffic_node*>(each);
    if (!node) continue;
    const traffic_counters& count = node->count();
    result.flits += count.flits_received.raw();
    window_flits += count.window_flits.raw();
    packets += count.measured.raw();
    latency += count.latency.raw();
    network_latency += count.network_latency.raw();
    if (count.measured.raw() > 0) smallest = std::min(smallest, count.min_network_latency.raw());
  }
  const auto total = static_cast<double>(std::max<std::uint64_t>(packets, 1));
  result.latency = cycles(static_cast<double>(latency)) / total;
  result.network_latency = cycles(static_cast<double>(network_latency)) / total;
  result.min_network_latency = cycles(static_cast<double>(smallest));
  result.accepted = static_cast<double>(window_flits) / static_cast<double>(c.measure) / c.ports;
  return result;
}

}  // namespace

star_result run_star(const star_configuration& c, bool stops_early) {
  const auto cycles_of = [](std::uint64_t count) { return fmt::format("{} ns", count); };
  const std::vector<netlist_override> overrides = {
      {"params.nodes", std::to_string(c.ports)},
      {"params.pattern", c.pattern},
      {"params.rate", fmt::format("{}", c.rate)},
      {"params.packet_flits", std::to_string(c.packet_flits)},
      {"params.vcs", std::to_string(c.vcs)},
      {"params.buffer_flits", std::to_string(c.buffer_flits)},
      {"params.channel", std::to_string(c.channel_latency)},
      {"hub.pipeline", std::to_string(c.pipeline)},
      {"node[*].warmup", cycles_of(c.warmup)},
      {"node[*].measure", cycles_of(c.measure)},
      {"node[*].cooldown", cycles_of(c.cooldown)}};
  const netlist_plan plan = plan_netlist("star8.yaml", overrides);
  simulation sim(plan.settings);
  const built_system system(plan, sim);
  if (stops_early)
    sc_core::sc_start(to_sc_time((c.warmup + c.measure + c.cooldown) * fs_per_ns));
  else
    sc_core::sc_start();
  return summarize(sim, c);
}

}  // namespace heddle
