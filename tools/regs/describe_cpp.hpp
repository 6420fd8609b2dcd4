// The constants of platform/registers/register_description.hpp for one block.
#pragma once

#include <string>

#include "tools/regs/block.hpp"

namespace heddle::regs {

// source: the name of the file.
std::string describe_cpp(const block& of, const std::string& source);

}  // namespace heddle::regs
