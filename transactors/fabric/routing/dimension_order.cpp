#include "transactors/fabric/routing/dimension_order.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "transactors/fabric/shortest.hpp"

namespace heddle {
namespace {

using index = topology::index;

}  // namespace

dimension_order::dimension_order(const topology& net, const dimension_order_settings& settings)
    : net_(net),
      has_datelines_(settings.has_datelines),
      places_(settings.grid, true),
      points_(net.switches()),
      dimensions_(settings.grid.sides.size()) {
  for (index at = 0; at < net_.switches(); ++at) points_[at] = places_.place(net_.name_of(at));
  places_.check_sides();
  check_links();
}

void dimension_order::check_links() {
  std::vector<bool> has_jumps(dimensions_.size());
  for (index number = 0; number < net_.arcs(); ++number) {
    const topology::arc& over = net_.arc_at(number);
    const point &from = points_[over.from], &to = points_[over.to];
    if (from.empty() || to.empty()) continue;
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < from.size(); ++i)
      if (from[i] != to[i]) changed.push_back(i);
    if (changed.size() > 1 || (changed.size() == 1 && changed.front() == 0))
      places_.refuse(fmt::format("the link from {} to {} changes {}", over.port->path(),
                                 over.port->peer()->path(),
                                 changed.front() == 0 ? "the plane" : "two coordinates"));
    if (changed.empty()) continue;
    const std::size_t along = changed.front();
    const index side = places_.sides()[along - 1];
    const index gap = from[along] < to[along] ? to[along] - from[along] : from[along] - to[along];
    if (gap + 1 == side && side > 2) dimensions_[along - 1].is_ring = true;
    if (gap != 1 && gap + 1 != side) has_jumps[along - 1] = true;
  }
  for (std::size_t i = 0; i < dimensions_.size(); ++i) {
    const index side = places_.sides()[i];
    dimensions_[i].is_complete = has_jumps[i] || side <= 2 || (side == 3 && dimensions_[i].is_ring);
    if (dimensions_[i].is_complete) dimensions_[i].is_ring = false;
    has_long_ring_ = has_long_ring_ || (dimensions_[i].is_ring && side > 4);
  }
}

topology::index dimension_order::distance_in(std::size_t dimension, index from, index to) const {
  if (from == to) return 0;
  if (dimensions_[dimension].is_complete) return 1;
  const index gap = from < to ? to - from : from - to;
  return dimensions_[dimension].is_ring ? std::min(gap, places_.sides()[dimension] - gap) : gap;
}

topology::index dimension_order::distance(index from, index to) const {
  index sum = 0;
  for (std::size_t i = 0; i < dimensions_.size(); ++i)
    sum += distance_in(i, points_[from][i + 1], points_[to][i + 1]);
  return sum;
}

topology::index dimension_order::nearest(index at, const std::vector<index>& homes) const {
  index best = topology::none;
  for (const index home : homes) {
    if (points_[home].front() != points_[at].front()) continue;
    if (best == topology::none || distance(at, home) < distance(at, best)) best = home;
  }
  return best;
}

dimension_order::step dimension_order::step_towards(std::size_t dimension, index from,
                                                    index to) const {
  if (dimensions_[dimension].is_complete) return {to, false};
  const index side = places_.sides()[dimension];
  bool goes_up = from < to;
  if (dimensions_[dimension].is_ring) {
    const index ahead = (to + side - from) % side;  // hops on the way up
    goes_up = 2 * ahead < side || (2 * ahead == side && from % 2 == 0);
  }
  const bool is_before_dateline = goes_up ? to < from : to > from;
  return {goes_up ? (from + 1) % side : (from + side - 1) % side, is_before_dateline};
}

void dimension_order::find(const destination_group& to, hops_by_switch& hops) const {
  const bool is_in_grid =
      !to.homes.empty() && std::none_of(to.homes.begin(), to.homes.end(),
                                        [&](index home) { return points_[home].empty(); });
  shortest_paths(net_).find(to, hops);
  if (!is_in_grid) return;
  for (index at = 0; at < net_.switches(); ++at) {
    if (points_[at].empty() || hops[at].empty()) continue;
    hops[at].clear();
    const index home = nearest(at, to.homes);
    if (home == topology::none) continue;
    const point &here = points_[at], &there = points_[home];
    const auto differs = std::mismatch(here.begin(), here.end(), there.begin());
    const auto along = static_cast<std::size_t>(differs.first - here.begin());
    const step next = step_towards(along - 1, *differs.first, *differs.second);
    const auto phase = static_cast<std::uint8_t>(phases() == 2 && !next.is_before_dateline ? 1 : 0);
    point then = here;
    then[along] = next.coordinate;
    for (index arc = net_.first_arc(at); arc < net_.first_arc(at + 1); ++arc)
      if (points_[net_.arc_at(arc).to] == then) hops[at].push_back({arc, phase});
  }
}

}  // namespace heddle
