// Where switches stand in a grid. The coordinates of a switch are the indices in its path, as many
// as the grid has sides; or a single index counts all places, the last coordinate fastest.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "platform/text/diagnostic.hpp"
#include "transactors/fabric/topology.hpp"

namespace heddle {

struct grid_shape {
  std::vector<topology::index> sides;  // switches in each dimension
  std::string switches = "*";          // glob; the others are no part of it
  source_place place;                  // in the netlist, for errors
};

class grid_places {
 public:
  using coordinates = std::vector<topology::index>;

  // With planes, the grid may be there several times: the coordinates begin with the number of the
  // plane, 0 where the path names none.
  grid_places(grid_shape shape, bool has_planes)
      : shape_(std::move(shape)), planes_(has_planes ? 1 : 0) {}

  // Empty: that switch is no part of the grid. Throws user_error for what does not fit, and for
  // the second switch at a place.
  coordinates place(const std::string& path);
  // When all are placed. Throws user_error where nobody is, or where a side is longer than the
  // switches reach.
  void check_sides() const;

  const std::vector<topology::index>& sides() const { return shape_.sides; }
  [[noreturn]] void refuse(const std::string& message) const;

 private:
  coordinates read(const std::string& path) const;

  grid_shape shape_;
  std::size_t planes_;  // coordinates in front of the others
  std::set<coordinates> taken_;
};

}  // namespace heddle
