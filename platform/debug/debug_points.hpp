// Breakpoints and watchpoints of a session, the same for all cores.
//
// gdb takes a point away while one core steps over it. The others could run past it meanwhile,
// because simulated time may have to pass for that step: what is removed stays until every core
// runs again. The core that stopped there passes it by itself.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/debug/debug_target.hpp"

namespace heddle {

class debug_points {
 public:
  explicit debug_points(const std::vector<debug_target*>& targets) : targets_(targets) {}

  void insert_breakpoint(std::uint64_t address);
  void remove_breakpoint(std::uint64_t address);
  void insert_watch(const debug_watch& watch);
  void remove_watch(const debug_watch& watch);
  // Tells the cores their points, before they run. `all_run`: no core steps alone.
  void apply(bool all_run);
  void remove_all();
  // False: the point that stopped the core has been removed.
  bool holds(const debug_stop& stop) const;

 private:
  struct breakpoint {
    std::uint64_t address;
    bool is_removed;
  };
  struct watchpoint {
    debug_watch what;
    bool is_removed;
  };

  const std::vector<debug_target*>& targets_;
  std::vector<breakpoint> breakpoints_;
  std::vector<watchpoint> watches_;
};

}  // namespace heddle
