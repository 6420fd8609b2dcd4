// Dimension-order routes over a grid of switches of flits: a torus, a mesh where rows do not close,
// or a HyperX where all switches of a row are linked to each other. A packet corrects its first
// coordinate first, then the second, and so on (Dally and Seitz, 1987). In a ring it goes the
// shorter way round; where both are equally long, a switch tosses a coin for each packet that
// enters the dimension.
//
// In a ring of virtual channels packets could wait for each other in a circle, so a packet takes
// its class of them when it enters the dimension and keeps it there: going up, class 1 if it will
// pass from the last switch to the first, else class 0; going down, class 0 if it will pass from
// the first to the last, else class 1. Ways of one class never close the ring. Lines need no
// classes, and neither do full rows and rings of three, where one hop is enough.
//
// Limitations: of parallel links between two switches the first is used.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "transactors/fabric/routing/grid_places.hpp"
#include "transactors/flit/flit_port.hpp"

namespace heddle {

// Out of a switch: a port, and the class of virtual channels in it.
struct flit_way {
  static constexpr std::uint8_t nowhere = 0xff;
  static constexpr std::uint8_t no_dimension = 0xff;

  std::uint8_t output = nowhere;
  std::uint8_t other = nowhere;  // as near, the other way round
  std::uint8_t class_of_output = 0;
  std::uint8_t class_of_other = 0;
  std::uint8_t dimension = no_dimension;  // along which it leads
};

class flit_grid {
 public:
  using coordinates = grid_places::coordinates;

  explicit flit_grid(grid_shape shape) : places_(std::move(shape), false) {}

  grid_places& places() { return places_; }
  const std::vector<topology::index>& sides() const { return places_.sides(); }
  [[noreturn]] void refuse(const std::string& message) const { places_.refuse(message); }

  struct axis {
    std::uint8_t up = flit_way::nowhere, down = flit_way::nowhere;  // ports
    std::vector<std::uint8_t> direct;  // of a full row of four or more: the port by coordinate

    bool is_full_row() const { return !direct.empty(); }
  };
  // `to[port]` is the place behind the port, empty when it leads to no switch of the grid.
  std::vector<axis> axes(const coordinates& here, const std::vector<coordinates>& to,
                         const std::string& path) const;

  // Whether ways along a ring of that dimension take classes of virtual channels.
  bool has_classes(std::size_t dimension) const { return sides()[dimension] > 3; }

  // The places differ. `closes` says of each dimension whether it is a ring.
  flit_way way(const coordinates& here, const coordinates& there, const std::vector<axis>& axes,
               const std::vector<bool>& closes) const;

 private:
  grid_places places_;
};

}  // namespace heddle
