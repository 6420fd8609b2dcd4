// What the engines of a run could compute at best, as they say: utilization is a share of it.
#pragma once

namespace heddle {

// One per run: simulation::service<compute_directory>().
struct compute_directory {
  double flops_per_second = 0;  // of all together
};

}  // namespace heddle
