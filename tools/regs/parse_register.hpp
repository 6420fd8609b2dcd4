// One register of a *.regs.yaml, and the kinds of values that other parts of the file share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/regs/block.hpp"

namespace heddle::regs {

// Its rules are as written yet.
reg parse_register(const yaml_node& node);

std::string snake_case_name(const yaml_node& node);
std::string upper_case_name(const std::string& name, const source_place& place);
// One line of text.
std::string meaning(const yaml_node& node);
std::uint64_t bounded(const yaml_node& node, std::uint64_t lowest, std::uint64_t highest);
// The items of a list that is not empty.
const std::vector<yaml_node>& list_of(const yaml_node& node, const char* what);
register_access access(const yaml_node& node);

}  // namespace heddle::regs
