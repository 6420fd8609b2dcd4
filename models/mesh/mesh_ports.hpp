// The five ports of a router in a 2D mesh. x grows to the east, y to the north.
#pragma once

#include <array>
#include <cstdint>

#include "transactors/flit/flit.hpp"

namespace heddle {

enum mesh_direction : int { north, east, south, west, local, mesh_directions };
using port_mask = std::uint32_t;  // a bit a direction

inline constexpr std::array<const char*, mesh_directions> mesh_port_names = {
    "north", "east", "south", "west", "local"};

// Output by the signs of the ways in x and in y, each -1, 0 or 1: 3 * x + y + 4. A table, because
// nobody can predict where a flit turns.
using route_table = std::array<std::uint8_t, 9>;
inline constexpr route_table x_first_table = {west,  west, west, south, local,
                                              north, east, east, east};
inline constexpr route_table y_first_table = {south, west,  north, south, local,
                                              north, south, east,  north};

inline int route_by(const route_table& table, mesh_position here, mesh_position to) {
  const int x = (to.x > here.x) - (to.x < here.x), y = (to.y > here.y) - (to.y < here.y);
  const int way = 3 * x + y + 4;
  return table[way];
}
inline int x_first(mesh_position here, mesh_position to) {
  return route_by(x_first_table, here, to);
}

}  // namespace heddle
