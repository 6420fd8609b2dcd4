// Whether the ranks of a netlist can do what its workload asks for: before anything is simulated.
#pragma once

#include <vector>

#include "platform/firmware/rank_core.hpp"
#include "platform/workload/workload_config.hpp"

namespace heddle {

struct workload_cores {
  std::vector<rank_core*> ranks;
  std::vector<rank_core*> setup;  // set in-switch accelerators up
};

// Hardware, counts and names. Throws user_error at the key of the workload that is wrong.
void check_workload(const workload_config& config, const workload_cores& cores);

// Lengths and memory of one job; its algorithm is the one that the ranks will take. Throws
// user_error.
void check_job(const workload_config& config, const workload_cores& cores, const boot_job& job);

}  // namespace heddle
