#include "tests/fidelity/channel_loads.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "models/traffic/packet_traffic.hpp"
#include "tests/fidelity/route_walk.hpp"

namespace heddle {

double uniform_traffic(std::size_t from, std::size_t to, std::size_t terminals) {
  return from == to ? 0 : 1 / static_cast<double>(terminals - 1);
}

traffic_matrix next_group_traffic(std::size_t group) {
  return [group](std::size_t from, std::size_t to, std::size_t terminals) {
    const bool is_next = to / group == (from / group + 1) % (terminals / group);
    return is_next ? 1 / static_cast<double>(group) : 0;
  };
}

traffic_matrix shift_traffic(std::size_t shift) {
  return [shift](std::size_t from, std::size_t to, std::size_t terminals) {
    return to == (from + shift) % terminals ? 1.0 : 0.0;
  };
}

double bit_complement_traffic(std::size_t from, std::size_t to, std::size_t terminals) {
  return to == terminals - 1 - from ? 1 : 0;
}

channel_bound find_bound(simulation& sim, const traffic_matrix& matrix) {
  const route_walk walk(sim);
  std::vector<const packet_traffic*> terminals;
  for (const unit* each : sim.units())
    if (const auto* terminal = dynamic_cast<const packet_traffic*>(each))
      terminals.push_back(terminal);
  std::unordered_map<const packet_port*, double> loads;
  packet p;
  p.kind = packet_kind::traffic;
  for (std::size_t from = 0; from < terminals.size(); ++from)
    for (std::size_t to = 0; to < terminals.size(); ++to) {
      const double share = matrix(from, to, terminals.size());
      if (share == 0) continue;
      p.source = terminals[from]->endpoint();
      p.destination = terminals[to]->endpoint();
      walk.follow(p, *terminals[from],
                  [&](const packet_port& leaving, int) { loads[&leaving] += share; });
    }
  channel_bound bound;
  for (const auto& [port, load] : loads) bound.load = std::max(bound.load, load);
  return bound;
}

}  // namespace heddle
