// heddle mmio: what one does with the log of a run.
#pragma once

#include <string>
#include <vector>

#include "platform/netlist/planner.hpp"

namespace heddle {

struct mmio_options {
  std::string netlist, unit, log;  // replay
  std::string a, b;                // diff
  bool ignores_time = false;
};

// 0, or 1 where something differs.
int mmio_replay_command(const mmio_options& options,
                        const std::vector<netlist_override>& overrides);
int mmio_diff_command(const mmio_options& options);

}  // namespace heddle
