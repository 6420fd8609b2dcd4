#include "tests/fidelity/random_network.hpp"

#include <algorithm>
#include <deque>

namespace heddle {
namespace {

using pairs = std::vector<std::pair<int, int>>;

// A random tree, to which any links may be added.
pairs tree_links(dice& random, int switches) {
  pairs links;
  for (int i = 1; i < switches; ++i) links.emplace_back(random.below(i), i);
  return links;
}

// Sides whose product is at most `switches`. The last coordinate counts fastest.
std::vector<int> choose_sides(dice& random, int switches) {
  std::vector<int> sides;
  for (int left = switches; left >= 2 && sides.size() < 3;) {
    const int side = 2 + random.below(std::min(left - 1, 9));
    sides.push_back(side);
    left /= side;
  }
  return sides;
}

enum class row { line, ring, complete };

pairs grid_links(dice& random, const std::vector<int>& sides, int switches) {
  pairs links;
  int stride = switches;
  for (const int side : sides) {
    stride /= side;
    const row kind = random.one_of<row>({row::line, row::ring, row::ring, row::complete});
    for (int at = 0; at < switches; ++at) {
      const int here = at / stride % side;
      for (int there = here + 1; there < side; ++there) {
        const bool is_next = there == here + 1;
        const bool closes = kind == row::ring && here == 0 && there == side - 1;
        if (is_next || closes || kind == row::complete)
          links.emplace_back(at, at + (there - here) * stride);
      }
    }
  }
  return links;
}

pairs dragonfly_links(dice& random, int groups, int group_size) {
  pairs links;
  const auto member = [&](int group) { return group * group_size + random.below(group_size); };
  for (int group = 0; group < groups; ++group) {
    for (int a = 0; a < group_size; ++a)
      for (int b = a + 1; b < group_size; ++b)
        links.emplace_back(group * group_size + a, group * group_size + b);
    for (int other = group + 1; other < groups; ++other)
      links.emplace_back(member(group), member(other));
  }
  return links;
}

// Links that leave the form of the network as it is: parallel ones, and any in a graph.
void add_links(dice& random, const random_network& net, int switches, int more, pairs& links) {
  const std::size_t needed = links.size();
  for (int i = 0; i < more && needed > 0; ++i) {
    std::pair<int, int> added =
        links[static_cast<std::size_t>(random.below(static_cast<int>(needed)))];
    if (net.form == network_form::graph) added = {random.below(switches), random.below(switches)};
    if (added.first != added.second) links.push_back(added);
  }
}

}  // namespace

random_network make_network(dice& random, int switches, int more_links, int hosts) {
  random_network net;
  net.form = random.one_of<network_form>(
      {network_form::graph, network_form::graph, network_form::grid, network_form::dragonfly});
  pairs links;
  if (net.form == network_form::graph) links = tree_links(random, switches);
  if (net.form == network_form::grid) {
    net.sides = choose_sides(random, switches);
    switches = 1;
    for (const int side : net.sides) switches *= side;
    links = grid_links(random, net.sides, switches);
  }
  if (net.form == network_form::dragonfly) {
    net.groups = 1 + random.below(std::min(switches, 8));
    switches = switches / net.groups * net.groups;
    links = dragonfly_links(random, net.groups, switches / net.groups);
  }
  add_links(random, net, switches, more_links, links);

  net.ways.resize(static_cast<std::size_t>(switches));
  std::vector<int> ports(net.ways.size());
  const auto take_port = [&](int at) {
    net.most_ports = std::max(net.most_ports, ports[at] + 1);
    return random_network::end{at, ports[at]++};
  };
  for (int i = 0; i < hosts; ++i) net.homes.push_back(take_port(random.below(switches)));
  for (const auto& [a, b] : links) {
    const random_network::end here = take_port(a), there = take_port(b);
    net.links.emplace_back(here, there);
    net.ways[a].push_back({here.port, b});
    net.ways[b].push_back({there.port, a});
  }
  return net;
}

std::vector<int> random_network::distances_to(int home) const {
  std::vector<int> distance(ways.size(), switches());
  distance[home] = 0;
  for (std::deque<int> frontier = {home}; !frontier.empty(); frontier.pop_front())
    for (const way& each : ways[frontier.front()]) {
      if (distance[each.to] < switches()) continue;
      distance[each.to] = distance[frontier.front()] + 1;
      frontier.push_back(each.to);
    }
  return distance;
}

next_hops make_table(dice& random, const random_network& net, int home, bool has_detours) {
  const std::vector<int> distance = net.distances_to(home);
  next_hops table(net.ways.size());
  for (int at = 0; at < net.switches(); ++at) {
    if (at == home) continue;
    std::vector<random_network::way> nearer;
    for (const random_network::way& each : net.ways[at])
      if (distance[each.to] < distance[at]) nearer.push_back(each);
    table[at].push_back(random.one_of(nearer));
    const random_network::way second = random.one_of(nearer);
    if (second.port != table[at].front().port) table[at].push_back(second);
    if (has_detours && random.is_one_in(40)) table[at] = {random.one_of(net.ways[at])};
  }
  return table;
}

// Switches from which every way leads on to switches that are done are done, too.
bool has_loop(const next_hops& table) {
  std::vector<bool> is_done(table.size());
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (std::size_t at = 0; at < table.size(); ++at) {
      if (is_done[at]) continue;
      is_done[at] = std::all_of(table[at].begin(), table[at].end(),
                                [&](const auto& each) { return is_done[each.to]; });
      has_changed = has_changed || is_done[at];
    }
  }
  return std::find(is_done.begin(), is_done.end(), false) != is_done.end();
}

}  // namespace heddle
