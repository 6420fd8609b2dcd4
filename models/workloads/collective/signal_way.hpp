// How long a signal takes at least from one rank to others over an idle network: wires, and where
// software sends it also switches and the overheads of both endpoints.
//
// Limitations: the shortest way counts, whether or not routes take it; devices inside switches and
// routers of meshes count as no time.
#pragma once

#include "models/workloads/collective/algorithm.hpp"
#include "platform/time/fs_time.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

// To the farthest of the ranks that the collective brings something from there; 0 where nothing is
// known of the ways. `by_ranks`: software sends it.
fs_t shortest_signal_way(const workload_context& context, const collective_case& what,
                         bool by_ranks);

}  // namespace heddle
