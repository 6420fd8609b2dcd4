#include "models/workloads/collective/signal_way.hpp"

#include <algorithm>

#include "models/switch/hop_time.hpp"
#include "models/workloads/collective/endpoint_of_rank.hpp"
#include "platform/services/link_directory.hpp"
#include "transactors/fabric/shortest_times.hpp"
#include "transactors/packetizer/packetizer.hpp"

namespace heddle {
namespace {

shortest_times ways_of(simulation& sim, bool by_ranks) {
  shortest_times ways;
  for (const link_record& each : sim.service<link_directory>().links) {
    const unit& behind = each.to->owner();
    ways.add_hop(each.from->owner(), behind, each.latency + (by_ranks ? forwarding_of(behind) : 0));
  }
  return ways;
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
  const unit* const home = endpoint_unit_of(*context.cores.ranks[start], context.sim);
  if (!home) return 0;
  const times_by_unit known = ways_of(context.sim, by_ranks).from(*home);
  const std::size_t last = is_of_two ? 2 : context.cores.ranks.size();
  fs_t farthest = 0;
  for (std::size_t rank = 0; rank < last; ++rank) {
    const unit* const there = endpoint_unit_of(*context.cores.ranks[rank], context.sim);
    if (!there || there == home) continue;
    const auto found = known.find(there);
    if (found != known.end()) farthest = std::max(farthest, found->second);
  }
  if (farthest == 0 || !by_ranks) return farthest;
  const auto* const through = dynamic_cast<const packetizer*>(home);
  return through ? farthest + through->overheads() : farthest;
}

}  // namespace heddle
