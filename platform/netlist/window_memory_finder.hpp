// Finds the memories that lie behind the window of a core, by the map of its bus.
//
// Limitations: a memory is a unit with a `size` that no bind leads on from. Units in front of it
// are passed where they reach it by a port `memory`; what lies behind a network is not found.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "platform/firmware/window_memory.hpp"
#include "platform/netlist/core_view.hpp"

namespace heddle {

struct rank_resources;

class window_memory_finder {
 public:
  explicit window_memory_finder(const netlist_plan& plan);  // which must outlive it

  std::vector<window_memory> memories_of(const core_view& view, const rank_resources& core) const;

 private:
  // nullptr where no memory is at the end.
  const planned_unit* memory_at(const std::string& path) const;

  const netlist_plan& plan_;
  std::unordered_map<std::string, const planned_unit*> behind_;  // by the path of the unit before
  std::unordered_set<std::string> leads_on_;  // units with a port that is bound to another one
};

}  // namespace heddle
