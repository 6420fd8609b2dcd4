// The shortest times between units, whatever the routes are: by Dijkstra's algorithm over hops that
// take a time each.
#pragma once

#include <unordered_map>
#include <vector>

#include "platform/time/fs_time.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {

using times_by_unit = std::unordered_map<const unit*, fs_t>;

class shortest_times {
 public:
  void add_hop(const unit& from, const unit& to, fs_t time) {
    leaving_[&from].push_back({&to, time});
  }
  // Of all units that can be reached, the start included.
  times_by_unit from(const unit& start) const;

 private:
  struct hop {
    const unit* to;
    fs_t time;
  };
  std::unordered_map<const unit*, std::vector<hop>> leaving_;
};

}  // namespace heddle
