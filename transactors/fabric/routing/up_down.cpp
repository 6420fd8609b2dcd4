#include "transactors/fabric/routing/up_down.hpp"

#include <algorithm>
#include <deque>
#include <numeric>

#include "transactors/fabric/shortest.hpp"

namespace heddle {
namespace {

using index = topology::index;

std::vector<index> homes_in(const topology& net) {
  std::vector<index> homes;
  for (index at = 0; at < net.switches(); ++at)
    if (net.has_endpoints(at)) homes.push_back(at);
  return homes;
}

// The switches farthest from all endpoints; empty where every switch has an endpoint.
std::vector<index> top_of(const topology& net) {
  const std::vector<index> tiers = hops_to(net, homes_in(net));
  index highest = 0;
  for (const index each : tiers)
    if (each != topology::none) highest = std::max(highest, each);
  std::vector<index> top;
  for (index at = 0; at < net.switches() && highest > 0; ++at)
    if (tiers[at] == highest) top.push_back(at);
  return top;
}

// The switch with the smallest sum of distances; other parts of the graph count nothing.
index middle_of(const topology& net) {
  index best = 0;
  std::uint64_t least = UINT64_MAX;
  for (index at = 0; at < net.switches(); ++at) {
    std::uint64_t sum = 0;
    for (const index each : hops_to(net, {at}))
      sum += each == topology::none ? net.switches() : each;
    if (sum < least) best = at;
    least = std::min(least, sum);
  }
  return best;
}

}  // namespace

up_down_paths::up_down_paths(const topology& net, const std::vector<topology::index>& roots)
    : net_(net), rank_(net.switches()), order_(net.switches()) {
  if (net.switches() == 0) return;
  const std::vector<index> chosen = roots.empty() ? top_of(net) : roots;
  rank(chosen);
  if (roots.empty() && !covers_all(chosen)) rank({middle_of(net)});
}

// By distance from the roots; parts of the graph without a root follow their first switch.
void up_down_paths::rank(const std::vector<topology::index>& roots) {
  std::vector<index> level = hops_to(net_, roots);
  for (index at = 0; at < net_.switches(); ++at) {
    if (level[at] != topology::none) continue;
    const std::vector<index> part = hops_to(net_, {at});
    for (index each = 0; each < net_.switches(); ++each)
      level[each] = std::min(level[each], part[each]);
  }
  std::iota(order_.begin(), order_.end(), index{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](index a, index b) { return level[a] < level[b]; });
  for (index i = 0; i < net_.switches(); ++i) rank_[order_[i]] = i;
}

bool up_down_paths::covers_all(const std::vector<topology::index>& roots) const {
  if (roots.empty()) return false;
  const std::vector<index> homes = homes_in(net_);
  const auto is_covered = [&](index home) {
    const std::vector<index> length = falling({home});
    return std::all_of(roots.begin(), roots.end(),
                       [&](index root) { return length[root] != topology::none; });
  };
  return std::all_of(homes.begin(), homes.end(), is_covered);
}

// Hops to the nearest of the homes by going down alone.
std::vector<topology::index> up_down_paths::falling(
    const std::vector<topology::index>& homes) const {
  std::vector<index> length(net_.switches(), topology::none);
  std::deque<index> frontier(homes.begin(), homes.end());
  for (const index each : homes) length[each] = 0;
  for (; !frontier.empty(); frontier.pop_front()) {
    const index at = frontier.front();
    for (index number = net_.first_arc(at); number < net_.first_arc(at + 1); ++number) {
      const topology::arc& over = net_.arc_at(number);  // whoever is above comes down over it
      if (!is_up(over) || length[over.to] != topology::none) continue;
      length[over.to] = length[at] + 1;
      frontier.push_back(over.to);
    }
  }
  return length;
}

void up_down_paths::find(const destination_group& to, hops_by_switch& hops) const {
  const std::vector<index> down = falling(to.homes);
  std::vector<index> length = down;  // of the whole path
  for (const index at : order_) {    // who is above comes first
    if (down[at] == 0) continue;
    const bool goes_up = down[at] == topology::none;
    index best = topology::none;
    for (index number = net_.first_arc(at); number < net_.first_arc(at + 1); ++number) {
      const topology::arc& over = net_.arc_at(number);
      const index rest = goes_up ? length[over.to] : down[over.to];
      if (is_up(over) != goes_up || rest == topology::none || rest > best) continue;
      if (rest < best) hops[at].clear();
      best = rest;
      hops[at].push_back({number});
    }
    if (goes_up && best != topology::none) length[at] = best + 1;
  }
}

}  // namespace heddle
