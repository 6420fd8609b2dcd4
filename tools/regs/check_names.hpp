// Whether every name can be used in C and C++, and no two things get the same one.
#pragma once

#include "tools/regs/block.hpp"

namespace heddle::regs {

void check_names(const block& checked);

}  // namespace heddle::regs
