// Where the flits of collectives go in a mesh that routes x first: every branch of a multicast, and
// every contribution to a reduction, goes the way of a unicast.
#pragma once

#include "models/mesh/mesh_ports.hpp"

namespace heddle {

// Outputs of a multicast that came in at port `from`.
inline port_mask multicast_outputs(mesh_position here, int from, mesh_position destination,
                                   mesh_position mask) {
  port_mask outputs = 0;
  if (from != north && from != south) {
    if ((destination.x | mask.x) > here.x && from != east) outputs |= 1U << east;
    if ((destination.x & ~mask.x) < here.x && from != west) outputs |= 1U << west;
    if (((destination.x ^ here.x) & ~mask.x) != 0) return outputs;  // no member in this column
  }
  if ((destination.y | mask.y) > here.y && from != north) outputs |= 1U << north;
  if ((destination.y & ~mask.y) < here.y && from != south) outputs |= 1U << south;
  if (((destination.y ^ here.y) & ~mask.y) == 0) outputs |= 1U << local;
  return outputs;
}

// Inputs at which contributions of the members come in on their way to the destination.
inline port_mask reduction_inputs(mesh_position here, mesh_position destination,
                                  mesh_position member, mesh_position mask) {
  const bool is_row_member = ((member.y ^ here.y) & ~mask.y) == 0;
  const bool is_any_west = (member.x & ~mask.x) < here.x;
  const bool is_any_east = (member.x | mask.x) > here.x;
  port_mask inputs = is_member(here, member, mask) ? 1U << local : 0;
  if (is_row_member && is_any_west && here.x <= destination.x) inputs |= 1U << west;
  if (is_row_member && is_any_east && here.x >= destination.x) inputs |= 1U << east;
  if (here.x != destination.x) return inputs;
  if (here.y <= destination.y && (member.y & ~mask.y) < here.y) inputs |= 1U << south;
  if (here.y >= destination.y && (member.y | mask.y) > here.y) inputs |= 1U << north;
  return inputs;
}

// Whether the way of that member's contribution leads into this router by that input, given that it
// is one of reduction_inputs().
inline bool comes_in_at(mesh_position here, int input, mesh_position member) {
  switch (input) {
    case west:
      return member.y == here.y && member.x < here.x;
    case east:
      return member.y == here.y && member.x > here.x;
    case south:
      return member.y < here.y;
    case north:
      return member.y > here.y;
    default:
      return member == here;
  }
}

}  // namespace heddle
