// Terminals of synthetic traffic, of packets or of flits, by the network that they belong to: those
// whose paths differ in their indices alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "platform/unit/statistic.hpp"

namespace heddle {

template <class Terminal>
struct terminal_group {
  std::string network;  // "wide_node[*]"
  std::vector<const Terminal*> terminals;

  std::uint64_t sum(const statistic* Terminal::*what) const {
    std::uint64_t total = 0;
    for (const Terminal* each : terminals) total += (each->*what)->raw();
    return total;
  }
  template <class Like>
  bool all_alike(Like is_like) const {
    return std::all_of(terminals.begin(), terminals.end(),
                       [&](const Terminal* each) { return is_like(*each); });
  }
};

// The unit's path without its indices.
std::string network_of(const std::string& unit);

// In the order of the first terminal of each.
template <class Terminal>
std::vector<terminal_group<Terminal>> by_network(const std::vector<Terminal>& terminals) {
  std::vector<terminal_group<Terminal>> groups;
  for (const Terminal& each : terminals) {
    const std::string name = network_of(each.unit);
    const auto known = std::find_if(groups.begin(), groups.end(),
                                    [&](const auto& other) { return other.network == name; });
    if (known == groups.end())
      groups.push_back({name, {&each}});
    else
      known->terminals.push_back(&each);
  }
  return groups;
}

// How far, as a share, the accepted load may lie below the offered one by chance: so far it lies
// once in tens of thousands of runs, as sources are Bernoulli processes. At least 2 %, because
// packets may be under way at the ends of the window.
double share_by_chance(double packets);

}  // namespace heddle
