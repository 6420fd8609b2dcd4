// The all-reduce netlist that comes with Heddle, simulated in a process of its own.
#pragma once

#include <string>
#include <vector>

#include "tests/bench/forked_run.hpp"

namespace heddle {

// CPU time from the post of the collective to its end: building the system, making the inputs and
// checking the outputs are left out. The simulated time is the collective's.
forked_result simulate_ring(const std::vector<std::string>& overrides);

// CPU time of a whole run, as `heddle run --out directory` does it, with a wave file or without
// ("").
forked_result run_ring(const std::vector<std::string>& overrides, const std::string& directory,
                       const std::string& wave);

}  // namespace heddle
