// Terminals of synthetic traffic, of packets or of flits, by the network that they belong to: those
// whose paths differ in their indices alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "platform/run/run_extent.hpp"
#include "platform/services/traffic_directory.hpp"
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
  double sum(const summed_time* Terminal::*what) const {  // fs
    double total = 0;
    for (const Terminal* each : terminals) total += (each->*what)->total();
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

// Groups exchange traffic when one of them sends to the other, or both do with a third one.
class traffic_exchange {
 public:
  // All terminals are added before the first of them joins groups.
  void add(std::size_t group, const traffic_source& terminal);
  void join(std::size_t group, const traffic_source& terminal);
  bool is_between(std::size_t one, std::size_t other) const {
    return first_of(one) == first_of(other);
  }

 private:
  static constexpr std::size_t none = SIZE_MAX;

  std::size_t first_of(std::size_t group) const;

  std::map<const void*, std::vector<std::size_t>> group_of_;  // by fabric and number there
  std::vector<std::size_t> joined_;                           // to an earlier group, or itself
};

// For each group its terminals and all that exchange traffic with them.
template <class Terminal>
std::vector<terminal_group<Terminal>> with_partners(
    const std::vector<terminal_group<Terminal>>& groups) {
  if (groups.size() < 2) return groups;
  traffic_exchange exchange;
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (const Terminal* each : groups[i].terminals) exchange.add(i, *each->source);
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (const Terminal* each : groups[i].terminals) exchange.join(i, *each->source);
  std::vector<terminal_group<Terminal>> all;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    all.push_back({groups[i].network, {}});
    for (std::size_t other = 0; other < groups.size(); ++other)
      if (exchange.is_between(i, other))
        all.back().terminals.insert(all.back().terminals.end(), groups[other].terminals.begin(),
                                    groups[other].terminals.end());
  }
  return all;
}

// How far, as a share, the accepted load may lie below the offered one by chance: so far it lies
// once in tens of thousands of runs, as sources are Bernoulli processes. At least 2 %, because
// packets may be under way at the ends of the window.
double share_by_chance(double packets);

// Why none of the packets that were created in the window is known; "" where some are, or where
// those of earlier times still fill the network. `measured`: packets; `arrived`: how much arrived
// in the window, of whatever packets.
std::string why_nothing(const run_extent& run, fs_t window, std::uint64_t measured,
                        std::uint64_t arrived);

}  // namespace heddle
