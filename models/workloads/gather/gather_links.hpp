// Bytes on the links between switches, and between switches and nodes. On each link of a rack's
// switch they are the sum over its packets of what the formula of gather_format.hpp says; a switch
// without stages sends as many bytes as it receives. Both hold while the gather has the network to
// itself: links count the bytes of all who use them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/workloads/gather/gather_system.hpp"

namespace heddle {

struct gather_link {
  std::string name;  // of a port and a direction, or of a switch
  std::uint64_t expected = 0, counted = 0;
};

std::vector<gather_link> links_of(const gather_system& system);

// Bytes on the links between switches and units that are neither switches nor nodes of the gather,
// in both directions. While the sum stays the same, nobody shares the network with the gather.
std::uint64_t bytes_of_others(const gather_system& system);

// "" where all links carry what they must, else the first that does not.
std::string broken_link(const std::vector<gather_link>& links);

}  // namespace heddle
