#include "tests/fidelity/switched_system.hpp"

#include "models/traffic/flit_traffic.hpp"

namespace heddle {

traffic_figures run_switched(const switched_system& system) {
  traffic_figures figures;
  run_traffic(system.netlist, system.overrides, system.window, system.stops_early,
              [&](const simulation& sim) {
                std::vector<const arrival_counters*> terminals;
                for (const unit* each : sim.units()) {
                  const auto* node = dynamic_cast<const flit_traffic*>(each);
                  if (node) terminals.push_back(&node->count());
                }
                figures = figures_of(terminals, system.window);
              });
  return figures;
}

}  // namespace heddle
