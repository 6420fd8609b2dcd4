// Random connected graphs of switches with terminals of synthetic traffic, as netlists.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

struct random_fabric {
  std::uint64_t seed = 1;
  int switches = 8;
  int more_links = 4;  // besides those of a spanning tree; may be parallel to others
  int hosts = 12;
  int packets = 100;  // that each host may send in the measured time, about

  // `checked: false`: routes that may deadlock are taken as they are.
  std::string netlist(bool checked = true) const;
  bool sprays() const;       // packets of a flow take different ways
  std::string text() const;  // for messages
  // Smaller fabrics of the same seed.
  std::vector<random_fabric> simpler() const;

 private:
  struct routing {
    std::string policy, spread;
  };
  routing choose_routing() const;
};

}  // namespace heddle
