#include "transactors/fabric/shortest_times.hpp"

#include <functional>
#include <queue>
#include <utility>

namespace heddle {

times_by_unit shortest_times::from(const unit& start) const {
  using arrival = std::pair<fs_t, const unit*>;
  times_by_unit known;
  std::priority_queue<arrival, std::vector<arrival>, std::greater<>> coming;
  coming.push({0, &start});
  while (!coming.empty()) {
    const auto [when, at] = coming.top();
    coming.pop();
    const auto hops = leaving_.find(at);
    if (!known.emplace(at, when).second || hops == leaving_.end()) continue;
    for (const hop& each : hops->second) coming.push({when + each.time, each.to});
  }
  return known;
}

}  // namespace heddle
