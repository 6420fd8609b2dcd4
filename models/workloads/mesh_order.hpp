// What barriers of a mesh say about its data. A tile may come to one as soon as its DMA engine has
// handed over the last beat of a copy; whether that beat is at its destination when somebody leaves
// the barrier depends on the three networks.
#pragma once

#include "platform/unit/simulation.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

// Whether no barrier of these ranks overtakes a beat that was handed over before it, of copies of
// which no two share a link in the same direction. The way of a barrier from the copy's source to
// rank 0 and from there to the destination has at least as many hops along x, along y, from and to
// a tile as the beat's. So the beat is there first where
//  - no hop of the wide network takes longer than the fastest one of its kind on a narrow network,
//  - the wide buffers are as large as their links need to carry a flit a cycle, so that no beat
//    waits behind those before it,
//  - nobody else sends: all endpoints are tiles and memory tiles of one mesh, and there are no
//    cores but the ranks and those whose memory is in a packet network.
// False where that is not known, and for ranks that are no tiles of a mesh.
//
// Limitations: initiators that are no cores, as models from outside, count as nobody.
bool keeps_barriers_behind_copies(const workload_cores& cores, simulation& sim);

}  // namespace heddle
