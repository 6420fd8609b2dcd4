// What aggregators know of each other, and of the endpoints around them. One per run:
// simulation::service<aggregator_directory>().
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "transactors/fabric/fabric.hpp"

namespace heddle {

class aggregator_directory {
 public:
  struct neighbor {
    bool is_aggregator = false;
    std::uint64_t base = 0;  // of its memory, or of its windows
  };

  // False where another aggregator has these windows.
  bool add(std::uint64_t window_base) { return windows_.insert(window_base).second; }
  // From window to window, the same for all: they write to each other's. False where it is not.
  bool agrees_on(std::uint64_t stride) {
    if (stride_ == 0) stride_ = stride;
    return stride_ == stride;
  }
  // The group at `window` has a parent from now on, 0: none. False where that would close a circle
  // of groups, each the parent of the one before it; no switch could see that alone. The group
  // has no parent then.
  bool set_parent(std::uint64_t window, std::uint64_t parent) {
    parents_[window] = 0;
    for (std::uint64_t above = parent; above != 0;) {
      if (above == window) return false;
      const auto next = parents_.find(above);
      above = next == parents_.end() ? 0 : next->second;
    }
    parents_[window] = parent;
    return true;
  }
  // What the unit at the end of a link is to an aggregator, once all units are joined; nullptr:
  // nothing.
  const neighbor* find(const fabric& net, const unit& at) {
    if (known_.empty()) learn(net);
    const auto found = known_.find(&at);
    return found == known_.end() ? nullptr : &found->second;
  }

 private:
  void learn(const fabric& net) {
    for (const address_window& each : net.windows()) {
      const bool is_inc = net.is_inc(each.endpoint);
      if (is_inc && windows_.count(each.base) == 0) continue;
      for (const unit* home : net.endpoint(each.endpoint).homes) known_[home] = {is_inc, each.base};
    }
  }

  std::unordered_set<std::uint64_t> windows_;  // first addresses
  std::uint64_t stride_ = 0;                   // bytes; 0: there is none yet
  std::unordered_map<const unit*, neighbor> known_;
  std::unordered_map<std::uint64_t, std::uint64_t> parents_;  // window of a group to that above
};

}  // namespace heddle
