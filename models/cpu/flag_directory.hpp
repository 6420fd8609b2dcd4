// Where the flags of each rank lie: in its memory window, as the platform has laid it out. All
// cores of a run share one list, because a list in each core would grow with the square of the
// ranks.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle {

class rank_core;
class simulation;

struct flag_area {
  std::uint64_t begin = 0, end = 0;
  const rank_core* owner = nullptr;
};

// One per run: simulation::service<flag_directory>().
class flag_directory {
 public:
  // The area that holds the address, if there is one and buffers are watched. All ranks are known.
  const flag_area* find(simulation& sim, std::uint64_t address);

 private:
  void list(simulation& sim);

  std::vector<flag_area> areas_;  // sorted
  bool is_listed_ = false;
};

}  // namespace heddle
