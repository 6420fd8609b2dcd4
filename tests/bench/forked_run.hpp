// A simulation in a process of its own, because the kernel elaborates only once. Call before
// anything of SystemC exists here.
#pragma once

#include <functional>

namespace heddle {

struct forked_result {
  double cpu_s = 0;
  double simulated_s = 0;
  double hops = 0;   // packets over a link, of all links
  double bytes = 0;  // of memory
};

// Throws user_error when the child fails.
forked_result run_forked(const std::function<forked_result()>& run);

}  // namespace heddle
