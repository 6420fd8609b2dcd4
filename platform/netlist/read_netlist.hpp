// A netlist as a tree. One that is not there is an error that says where a netlist of that name is.
#pragma once

#include <string>

#include "platform/yaml/node.hpp"

namespace heddle {

// `found` is what find_netlist() makes of `name`. Throws user_error.
yaml_node read_netlist(const std::string& name, const std::string& found);

}  // namespace heddle
