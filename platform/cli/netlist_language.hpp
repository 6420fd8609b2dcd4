// yaml/REFERENCE.md, which describes the language of netlists, as a part of the program
// (netlist_language.cmake).
#pragma once

#include <string>

namespace heddle {

std::string netlist_language();

}  // namespace heddle
