// Netlists that come with Heddle, simulated in a process of their own.
#pragma once

#include <string>
#include <vector>

#include "tests/bench/forked_run.hpp"

namespace heddle {

// CPU time from the first rank's start of the collective to its end, of the last of several:
// building the system, making the inputs and checking the outputs are left out, and so, with a
// first one to fill it, is the machine's memory handed out page by page. The simulated time is the
// collective's.
forked_result simulate_collective(const std::string& netlist,
                                  const std::vector<std::string>& overrides);
// The same of a netlist that is made here; also the packets that crossed a link meanwhile.
forked_result simulate_collective_of(const std::string& text);

// CPU time from the text of a netlist to the instant before the first event, and the memory that
// the system takes then.
forked_result start_up(const std::string& text);

// Of ring_allreduce.yaml, CPU time of a whole run, as `heddle run --out directory` does it, with a
// wave file or without
// ("").
forked_result run_ring(const std::vector<std::string>& overrides, const std::string& directory,
                       const std::string& wave);

}  // namespace heddle
