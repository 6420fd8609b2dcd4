// When in-network hardware worked on the present job, as its devices tell: the collective without
// the synchronization before and after it.
#pragma once

#include <algorithm>

#include "platform/time/fs_time.hpp"

namespace heddle {

// One per run: simulation::service<hardware_span>().
struct hardware_span {
  fs_t start = fs_never;
  fs_t end = 0;

  void worked(fs_t from, fs_t to) {
    start = std::min(start, from);
    end = std::max(end, to);
  }
  fs_t length() const { return end > start ? end - start : 0; }
};

}  // namespace heddle
