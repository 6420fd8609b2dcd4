// Finds the fields and values that rules name.
#pragma once

#include "tools/regs/block.hpp"

namespace heddle::regs {

// A rule in an array means the register of the same element, else one outside arrays.
void resolve_rules(block& of);

}  // namespace heddle::regs
