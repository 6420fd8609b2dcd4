// Whether somebody has ended the run before its end; then cores also say where they compute.
#pragma once

namespace heddle {

// One per run: simulation::service<cut_short>().
struct cut_short {
  bool is_so = false;
};

}  // namespace heddle
