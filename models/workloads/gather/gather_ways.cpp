#include "models/workloads/gather/gather_ways.hpp"

#include <functional>
#include <queue>
#include <unordered_map>
#include <utility>

namespace heddle {
namespace {

struct hop {
  std::size_t to;
  fs_t time;
};
using hops_of_switches = std::vector<std::vector<hop>>;

// From the arrival at a switch until the arrival at the one behind each of its links.
hops_of_switches hops_between(const std::vector<packet_switch*>& switches,
                              const std::unordered_map<const unit*, std::size_t>& numbers) {
  hops_of_switches hops(switches.size());
  for (std::size_t at = 0; at < switches.size(); ++at)
    for (int i = 0; i < switches[at]->port_count(); ++i) {
      const packet_port& port = switches[at]->port_at(i);
      if (!port.peer()) continue;
      const auto next = numbers.find(&port.peer()->owner());
      if (next != numbers.end())
        hops[at].push_back({next->second, switches[at]->forwarding() + port.way()});
    }
  return hops;
}

// Dijkstra's algorithm; fs_never where no way leads.
std::vector<fs_t> times_from(std::size_t start, const hops_of_switches& hops) {
  using arrival = std::pair<fs_t, std::size_t>;
  std::vector<fs_t> times(hops.size(), fs_never);
  std::priority_queue<arrival, std::vector<arrival>, std::greater<>> open;
  times[start] = 0;
  open.push({0, start});
  while (!open.empty()) {
    const auto [time, at] = open.top();
    open.pop();
    if (time > times[at]) continue;
    for (const hop& each : hops[at])
      if (time + each.time < times[each.to]) {
        times[each.to] = time + each.time;
        open.push({times[each.to], each.to});
      }
  }
  return times;
}

}  // namespace

gather_ways::gather_ways(std::vector<const packet_port*> nodes,
                         const std::vector<packet_switch*>& switches)
    : nodes_(std::move(nodes)), from_home_(switches.size()) {
  std::unordered_map<const unit*, std::size_t> numbers;
  for (const packet_switch* each : switches) {
    numbers.emplace(each, numbers.size());
    forwarding_.push_back(each->forwarding());
  }
  const hops_of_switches hops = hops_between(switches, numbers);
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    const auto home = numbers.find(&home_of(node));
    home_.push_back(home == numbers.end() ? none : home->second);
    if (home_[node] != none && from_home_[home_[node]].empty())
      from_home_[home_[node]] = times_from(home_[node], hops);
  }
}

fs_t gather_ways::between(std::size_t from, std::size_t to) const {
  const fs_t out = nodes_[from]->way(), in = nodes_[to]->peer()->way();
  if (home_[from] == none || home_[to] == none) return out;  // linked to each other, or unknown
  const fs_t inside = from_home_[home_[from]][home_[to]];
  return out + (inside == fs_never ? 0 : inside + forwarding_[home_[to]]) + in;
}

}  // namespace heddle
