// The hardware that a gather uses, found among the units of the run: the NIC of each rank, the
// memory that may be described, the middle pipes of the racks.
#pragma once

#include <vector>

#include "models/inc/tor/tor.hpp"
#include "models/nic/gather_memory/gather_memory.hpp"
#include "models/nic/pcie/pcie.hpp"
#include "models/nic/rig/rig.hpp"
#include "models/sparse/gather_laws.hpp"
#include "models/sparse/row_partition.hpp"
#include "models/switch/switch.hpp"
#include "models/workloads/gather/gather_ways.hpp"
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
  std::vector<packet_switch*> switches;        // of the whole run
  std::vector<packet_switch*> plain_switches;  // those of them without stages
  std::vector<const pcie_bridge*> bridges;
  gather_ways ways;
};

// Throws user_error, at `place`, where a rank has no NIC, nodes are missing, or ranks do not come
// in the order of their nodes.
gather_system find_gather_system(const workload_context& context, const source_place& place);

// What bounds a run on it, whatever the matrix; `clients` units of each NIC ask, 0: as many as are
// set. Where parts differ, the fastest counts.
gather_machine machine_of(const gather_system& system, std::uint32_t clients);

}  // namespace heddle
