// Files that a layer above the platform adds to the run directory.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platform/services/busy_share.hpp"

namespace heddle {

struct extra_result_context {
  std::string directory;           // of the run
  std::string title;               // what the shares are of: "broadcast, 32 KiB"
  std::vector<busy_share> shares;  // of every wire and unit
  std::string suffix;              // of file names: "_ring" where several algorithms ran
};

// A service of the simulation: units add to it before the simulation starts.
struct extra_results {
  std::vector<std::function<void(const extra_result_context&)>> writers;
};

}  // namespace heddle
