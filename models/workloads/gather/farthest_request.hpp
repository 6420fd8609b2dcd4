// The longest path that one of a node's requests must have taken, from its doorbell until the host
// has the property.
//
// A request of another node may shorten one's path in a rack's switch: by a property that is in the
// cache already, or by a packet that it shares and that leaves earlier. Of all requests of a rack
// for the properties of one node, though, the first one finds nothing before it. So each rack has
// taken the path of one of its nodes that have asked that owner, and the shortest of them counts.
//
// Limitations: where racks cache the answers of their own hosts (`scope: all`), the switch of the
// owner may answer, too, and no path is known to be longer than that inside a rack. Bytes and
// memories are left out, and of the waits in switches those that only the first request of all
// racks must have.
#pragma once

#include <cstdint>

#include "models/workloads/gather/gather_figures.hpp"

namespace heddle {

// Sets gather_node_figures::farthest of all nodes, from which nodes each of them has asked.
void note_farthest(gather_figures& of, const gather_system& system, const gather_machine& machine,
                   std::uint64_t length);

}  // namespace heddle
