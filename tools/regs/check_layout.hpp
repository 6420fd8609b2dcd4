// Whether the registers and arrays of a block have room and do not overlap.
#pragma once

#include "tools/regs/block.hpp"

namespace heddle::regs {

void check_layout(const block& checked);

}  // namespace heddle::regs
