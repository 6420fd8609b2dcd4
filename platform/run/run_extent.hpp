// How far a run has come, which limits the windows in which its traffic is measured.
#pragma once

#include <algorithm>

#include "platform/time/fs_time.hpp"

namespace heddle {

struct run_extent {
  fs_t end = 0;         // its last instant
  bool is_cut = false;  // more would have happened

  // When a window ends that should last to `to`; fs_never: until the run ends. Nothing arrives any
  // more in a run that has ended by itself, but its windows last to their ends.
  fs_t end_of_window(fs_t to) const { return to == fs_never || is_cut ? std::min(to, end) : to; }
};

}  // namespace heddle
