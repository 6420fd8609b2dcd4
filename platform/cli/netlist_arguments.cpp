#include "platform/cli/netlist_arguments.hpp"

#include <CLI/CLI.hpp>

namespace heddle {

void netlist_arguments::declare(CLI::App& command) {
  command.add_option("NETLIST", file, "netlist file")->required();
  command
      .add_option("--set", sets,
                  "PATH=VALUE: a value of the netlist, or a parameter "
                  "of the units that a glob matches")
      ->allow_extra_args(false);
}

std::vector<netlist_override> netlist_arguments::overrides() const {
  return read_overrides(sets);
}

std::vector<netlist_override> read_overrides(const std::vector<std::string>& texts) {
  std::vector<netlist_override> overrides;
  for (const std::string& each : texts) overrides.push_back(parse_override(each));
  return overrides;
}

}  // namespace heddle
