#include "transactors/fabric/shortest.hpp"

#include <boost/graph/breadth_first_search.hpp>

namespace heddle {

// Links lead both ways, so distances from the homes are distances to them.
std::vector<topology::index> hops_to(const topology& net,
                                     const std::vector<topology::index>& homes) {
  std::vector<topology::index> distance(net.switches(), topology::none);
  for (const topology::index each : homes) distance[each] = 0;
  const auto record = boost::record_distances(distance.data(), boost::on_tree_edge());
  boost::queue<topology::index> frontier;
  boost::breadth_first_search(net.as_graph(), homes.begin(), homes.end(), frontier,
                              boost::make_bfs_visitor(record),
                              boost::make_two_bit_color_map(
                                  net.switches(), boost::get(boost::vertex_index, net.as_graph())));
  return distance;
}

void shortest_paths::find(const destination_group& to, hops_by_switch& hops) const {
  const std::vector<topology::index> distance = hops_to(net_, to.homes);
  for (topology::index at = 0; at < net_.switches(); ++at) {
    if (distance[at] == topology::none || distance[at] == 0) continue;
    for (topology::index arc = net_.first_arc(at); arc < net_.first_arc(at + 1); ++arc)
      if (distance[net_.arc_at(arc).to] + 1 == distance[at]) hops[at].push_back({arc});
  }
}

}  // namespace heddle
