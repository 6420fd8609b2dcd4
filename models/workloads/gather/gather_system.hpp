// The hardware that a gather uses, found among the units of the run: the NIC of each rank, the
// memory that may be described, the middle pipes of the racks.
#pragma once

#include <vector>

#include "models/inc/tor/tor.hpp"
#include "models/nic/gather_memory/gather_memory.hpp"
#include "models/nic/rig/rig.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

struct gather_node {
  rank_core* core = nullptr;
  rig* nic = nullptr;
  gather_memory* memory = nullptr;  // in front of its memory; nullptr: there is none
};

struct gather_system {
  std::vector<gather_node> nodes;  // node n at n
  std::vector<const tor*> racks;
};

// Throws user_error, at `place`, where a rank has no NIC or nodes are missing.
gather_system find_gather_system(const workload_context& context, const source_place& place);

}  // namespace heddle
