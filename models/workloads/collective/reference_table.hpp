// The algorithms of collectives as a Markdown table: `heddle models collective` prints it, and
// yaml/REFERENCE.md shows it.
#pragma once

#include <string>

namespace heddle {

std::string algorithm_table();

}  // namespace heddle
