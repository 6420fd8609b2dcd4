// What firmware each core runs, as the netlist names it: an app or a file.
#pragma once

#include <string>
#include <unordered_map>

namespace heddle {

class rank_core;

struct firmware_names {
  std::unordered_map<const rank_core*, std::string> by_core;
};

}  // namespace heddle
