// Times that no collective can beat, whoever does it: what its algorithm puts on the wires at their
// payload rate, and a signal to the farthest rank (signal_way.hpp). A shorter time is a mistake of
// the model: the run fails.
//
// Limitations: the bytes are those of the busiest direction of a rank's links; links between
// switches that carry more are not looked at.
#pragma once

#include <cstdint>
#include <string>

#include "platform/time/fs_time.hpp"

namespace heddle {

struct collective_bounds {
  double ceiling_Bps = 0;  // of the algorithm on these wires; 0: not known
  fs_t shortest_way = 0;   // to the farthest rank that has to hear; 0: there is none
};

// Why `work` bytes cannot have taken that time; "" where they can.
std::string impossibility(std::uint64_t work, fs_t time, const collective_bounds& bounds);

}  // namespace heddle
