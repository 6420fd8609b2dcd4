#include "tests/fidelity/star_system.hpp"

#include <fmt/format.h>

#include "models/traffic/flit_traffic.hpp"

namespace heddle {
namespace {

star_result summarize(const simulation& sim, const star_configuration& c) {
  star_result result;
  std::vector<const arrival_counters*> terminals;
  for (const unit* each : sim.units()) {
    const auto* node = dynamic_cast<const flit_traffic*>(each);
    if (!node) continue;
    terminals.push_back(&node->count());
    result.flits += node->count().flits_received.raw();
  }
  static_cast<traffic_figures&>(result) = figures_of(terminals, c.window);
  return result;
}

}  // namespace

star_result run_star(const star_configuration& c, bool stops_early) {
  star_result result;
  run_traffic("star8.yaml",
              {{"params.nodes", std::to_string(c.ports)},
               {"params.pattern", c.pattern},
               {"params.rate", fmt::format("{}", c.rate)},
               {"params.packet_flits", std::to_string(c.packet_flits)},
               {"params.vcs", std::to_string(c.vcs)},
               {"params.buffer_flits", std::to_string(c.buffer_flits)},
               {"params.channel", std::to_string(c.channel_latency)},
               {"hub.pipeline", std::to_string(c.pipeline)}},
              c.window, stops_early, [&](const simulation& sim) { result = summarize(sim, c); });
  return result;
}

}  // namespace heddle
