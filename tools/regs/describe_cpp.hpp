// The constants of platform/registers/register_description.hpp for one block.
#pragma once

#include <string>

#include "tools/regs/block.hpp"

namespace heddle::regs {

std::string describe_cpp(const block& of);

}  // namespace heddle::regs
