// One rule of a register, as it was written: resolve_rules finds what it refers to.
#pragma once

#include "tools/regs/block.hpp"

namespace heddle::regs {

rule parse_rule(const yaml_node& node, const reg& owner);

// `needs_fence: true`.
rule fence_rule(const yaml_node& node, const reg& owner);

// Rules guard writes of firmware.
bool can_be_written(const reg& of);

}  // namespace heddle::regs
