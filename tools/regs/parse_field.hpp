// The fields of one register.
#pragma once

#include <vector>

#include "tools/regs/block.hpp"

namespace heddle::regs {

// owner has its name, width and access already.
std::vector<field> parse_fields(const yaml_node& node, const reg& owner);

}  // namespace heddle::regs
