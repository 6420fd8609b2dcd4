// For how long in-network hardware worked on each job, as its devices tell: the collective without
// the synchronization before and after it, and without what cores do between two of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "platform/time/fs_time.hpp"

namespace heddle {

// One per run: simulation::service<hardware_spans>(). Jobs of several workloads may run at once.
class hardware_spans {
 public:
  // To this moment. Devices may work at the same time.
  void worked(std::uint32_t job, fs_t from, fs_t to) {
    std::vector<span>& of = spans_[job];
    while (!of.empty() && of.back().end >= from) {
      from = std::min(from, of.back().start);
      of.pop_back();
    }
    of.push_back({from, to});
  }
  // 0 where no hardware has worked on it. It is forgotten then. A barrier is a moment at each
  // device: it takes from the first to the last one.
  fs_t take(std::uint32_t job) {
    const auto found = spans_.find(job);
    if (found == spans_.end()) return 0;
    const std::vector<span> of = std::move(found->second);
    spans_.erase(found);
    fs_t sum = 0;
    for (const span& each : of) sum += each.end - each.start;
    return sum > 0 ? sum : of.back().end - of.front().start;
  }

 private:
  struct span {
    fs_t start, end;
  };
  // By the job's number; apart from each other, in the order of time.
  std::unordered_map<std::uint32_t, std::vector<span>> spans_;
};

}  // namespace heddle
