// Text of the user in generated files.
#pragma once

#include <string>
#include <string_view>

namespace heddle::regs {

// A literal of C++, quotes included.
std::string literal(std::string_view text);
// Inside a comment of C or at the end of a line comment.
std::string comment(std::string_view text);
// Inside a cell of a Markdown table.
std::string cell(std::string_view text);

}  // namespace heddle::regs
