#include "models/workloads/collective/signal_way.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/switch/switch.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/packetizer/packetizer.hpp"

namespace heddle {
namespace {

class ways {
 public:
  ways(simulation& sim, bool by_ranks) {
    for (const link_record& each : sim.service<link_directory>().links)
      leaving_[each.from->owner().path()].push_back({each.to->owner().path(), each.latency});
    if (!by_ranks) return;
    for (const unit* each : sim.units())
      if (const auto* const through = dynamic_cast<const packet_switch*>(each))
        forwarding_[each->path()] = through->forwarding();
  }

  // Of all that can be reached.
  std::unordered_map<std::string, fs_t> from(const std::string& start) const {
    using arrival = std::pair<fs_t, std::string>;
    std::unordered_map<std::string, fs_t> known;
    std::priority_queue<arrival, std::vector<arrival>, std::greater<>> coming;
    coming.push({0, start});
    while (!coming.empty()) {
      const auto [when, at] = coming.top();
      coming.pop();
      if (!known.emplace(at, when).second) continue;
      const auto inside = forwarding_.find(at);
      const fs_t leaves = when + (inside == forwarding_.end() ? 0 : inside->second);
      const auto wires = leaving_.find(at);
      if (wires == leaving_.end()) continue;
      for (const wire& each : wires->second) coming.push({leaves + each.latency, each.to});
    }
    return known;
  }

 private:
  struct wire {
    std::string to;
    fs_t latency;
  };
  std::unordered_map<std::string, std::vector<wire>> leaving_;
  std::unordered_map<std::string, fs_t> forwarding_;
};

const unit* endpoint_of(const workload_context& context, std::size_t rank) {
  const fabric& net = context.sim.service<fabric>();
  const address_window* const window =
      net.find_window(context.cores.ranks[rank]->resources().window);
  return window ? net.endpoint(window->endpoint).owner : nullptr;
}

}  // namespace

fs_t shortest_signal_way(const workload_context& context, const collective_case& what,
                         bool by_ranks) {
  const bool is_cut = bus_factor(what.collective, 2) < 1 && what.collective != BOOT_BARRIER;
  const bool leaves_some_out = is_cut && what.bytes / size_of(what.type) < what.ranks;
  if (what.groups.shape != group_shape::all || leaves_some_out) return 0;
  const bool has_root = what.collective == BOOT_BROADCAST || what.collective == BOOT_REDUCE;
  const bool is_of_two =
      what.collective == BOOT_P2P_LATENCY || what.collective == BOOT_P2P_BANDWIDTH;
  const std::size_t start = has_root ? what.root : 0;
  const unit* const home = endpoint_of(context, start);
  if (!home) return 0;
  const auto known = ways(context.sim, by_ranks).from(home->path());
  const std::size_t last = is_of_two ? 2 : context.cores.ranks.size();
  fs_t farthest = 0;
  for (std::size_t rank = 0; rank < last; ++rank) {
    const unit* const there = endpoint_of(context, rank);
    if (!there || there == home) continue;
    const auto found = known.find(there->path());
    if (found != known.end()) farthest = std::max(farthest, found->second);
  }
  if (farthest == 0 || !by_ranks) return farthest;
  const auto* const through = dynamic_cast<const packetizer*>(home);
  return through ? farthest + through->overheads() : farthest;
}

}  // namespace heddle
