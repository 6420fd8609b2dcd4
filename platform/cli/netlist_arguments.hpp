// What commands take that are about a netlist: its file, and values for it.
#pragma once

#include <string>
#include <vector>

#include "platform/netlist/planner.hpp"

namespace CLI {
class App;
}

namespace heddle {

struct netlist_arguments {
  std::string file;
  std::vector<std::string> sets;  // PATH=VALUE

  // Options of the command; this outlives it.
  void declare(CLI::App& command);
  std::vector<netlist_override> overrides() const;  // throws user_error
};

// PATH=VALUE each; throws user_error.
std::vector<netlist_override> read_overrides(const std::vector<std::string>& texts);

}  // namespace heddle
