// Random connected networks of switches with terminals of synthetic traffic, as netlists: graphs of
// any form, grids whose dimensions are lines, rings or complete, and dragonflies, each under the
// routing policies that fit it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

struct random_fabric {
  std::uint64_t seed = 1;
  int switches = 8;    // at most: grids and dragonflies take what their form allows
  int more_links = 4;  // besides those that the form needs; may be parallel to others
  int hosts = 12;
  int packets = 100;  // that each host may send in the measured time, about

  // `checked: false`: routes that may deadlock are taken as they are.
  std::string netlist(bool checked = true) const;
  bool has_loop() const;     // listed routes lead some packet back to where it was
  std::string text() const;  // for messages
  // Smaller fabrics of the same seed.
  std::vector<random_fabric> simpler() const;
};

}  // namespace heddle
