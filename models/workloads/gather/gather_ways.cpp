#include "models/workloads/gather/gather_ways.hpp"

#include <utility>

#include "models/switch/hop_time.hpp"

namespace heddle {

gather_ways::gather_ways(std::vector<const packet_port*> nodes,
                         const std::vector<packet_switch*>& switches)
    : nodes_(std::move(nodes)) {
  shortest_times ways;
  for (packet_switch* const each : switches)
    for (int i = 0; i < each->port_count(); ++i) {
      const packet_port& port = each->port_at(i);
      if (port.peer()) ways.add_hop(*each, port.peer()->owner(), hop_time_of(port));
    }
  for (std::size_t node = 0; node < nodes_.size(); ++node)
    if (from_home_.count(&home_of(node)) == 0)
      from_home_.emplace(&home_of(node), ways.from(home_of(node)));
}

fs_t gather_ways::between(std::size_t from, std::size_t to) const {
  const fs_t out = hop_time_of(*nodes_[from]);
  const times_by_unit& times = from_home_.at(&home_of(from));
  const auto inside = times.find(&home_of(to));
  if (inside == times.end()) return out;  // linked to each other, or no way is known
  return out + inside->second + nodes_[to]->peer()->way();
}

}  // namespace heddle
