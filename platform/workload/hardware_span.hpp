// When in-network hardware worked on each job, as its devices tell: the collective without the
// synchronization before and after it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "platform/time/fs_time.hpp"

namespace heddle {

// One per run: simulation::service<hardware_spans>(). Jobs of several workloads may run at once.
class hardware_spans {
 public:
  void worked(std::uint32_t job, fs_t from, fs_t to) {
    span& of = spans_[job];
    of.start = std::min(of.start, from);
    of.end = std::max(of.end, to);
  }
  // 0 where no hardware has worked on it. It is forgotten then.
  fs_t take(std::uint32_t job) {
    const auto found = spans_.find(job);
    if (found == spans_.end()) return 0;
    const span of = found->second;
    spans_.erase(found);
    return of.end > of.start ? of.end - of.start : 0;
  }

 private:
  struct span {
    fs_t start = fs_never, end = 0;
  };
  std::unordered_map<std::uint32_t, span> spans_;  // by the job's number
};

}  // namespace heddle
