// The things made of one block. The text depends on nothing but the block and the source's
// name, so that equal inputs give equal files.
#pragma once

#include <string>

#include "tools/regs/block.hpp"

namespace heddle::regs {

// source: the file's name for the first comment.
std::string cpp_header(const block& of, const std::string& source);
std::string c_header(const block& of, const std::string& source);
std::string markdown(const block& of);
std::string svd(const block& of);  // CMSIS-SVD

}  // namespace heddle::regs
