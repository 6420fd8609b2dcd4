// Reads a netlist and expands it: params, arrays, sub-netlists, index expressions, overrides.
#pragma once

#include <string>
#include <vector>

#include "platform/netlist/plan.hpp"

namespace heddle {

// "path=value" of a --set option. The path names a key of the netlist ("params.gpus",
// "workload.bytes") or, by glob, a parameter of built units ("gpu[*].ni.mtu").
struct netlist_override {
  std::string path;
  std::string value;
};
netlist_override parse_override(const std::string& text);  // throws user_error

// Throws user_error for the first mistake.
netlist_plan plan_netlist(const std::string& file, const std::vector<netlist_override>& overrides);
netlist_plan plan_netlist(const yaml_node& root, const std::string& file,
                          const std::vector<netlist_override>& overrides);

// The file itself, or one of that name among the netlists that come with Heddle.
std::string find_netlist(const std::string& name, const std::string& beside);

}  // namespace heddle
