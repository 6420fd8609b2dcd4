#include "tests/fidelity/mesh_system.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/mesh/traffic/mesh_traffic.hpp"

namespace heddle {
namespace {

mesh_result summarize(const simulation& sim, const mesh_configuration& c) {
  mesh_result result;
  std::vector<const arrival_counters*> terminals;
  std::uint64_t packets = 0, hops = 0;
  for (const unit* each : sim.units()) {
    const auto* node = dynamic_cast<const mesh_traffic*>(each);
    if (!node) continue;
    terminals.push_back(&node->count());
    packets += node->count().measured.raw();
    hops += node->count().hops.raw();
  }
  static_cast<traffic_figures&>(result) = figures_of(terminals, c.window);
  result.hops =
      static_cast<double>(hops) / static_cast<double>(std::max<std::uint64_t>(packets, 1));
  return result;
}

}  // namespace

mesh_result run_mesh(const mesh_configuration& c, bool stops_early) {
  mesh_result result;
  run_traffic("mesh_traffic.yaml",
              {{"params.width", std::to_string(c.size)},
               {"params.height", std::to_string(c.size)},
               {"params.pattern", c.pattern},
               {"params.rate", fmt::format("{}", c.rate)},
               {"params.packet_flits", std::to_string(c.packet_flits)},
               {"params.vcs", std::to_string(c.vcs)},
               {"params.buffer", std::to_string(c.buffer)},
               {"params.channel", std::to_string(c.channel)}},
              c.window, stops_early, [&](const simulation& sim) { result = summarize(sim, c); });
  return result;
}

}  // namespace heddle
