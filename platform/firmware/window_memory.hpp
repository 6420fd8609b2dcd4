// The memories behind the windows of cores. A window is a range of addresses, and may have less
// memory behind it.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "platform/text/diagnostic.hpp"

namespace heddle {

class rank_core;

struct window_memory {
  std::string path;          // of the unit
  std::uint64_t size = 0;    // bytes of the unit
  source_place place;        // where the size was given
  std::uint64_t first = 0;   // offset in the window at which the memory begins
  std::uint64_t mapped = 0;  // bytes of the window that lead to it
  std::uint64_t there = 0;   // bytes of those that exist, from the first on
};

// Those that the map of the core's bus leads to, by core.
struct window_memories {
  std::unordered_map<const rank_core*, std::vector<window_memory>> of;
};

}  // namespace heddle
