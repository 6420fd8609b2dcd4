// Where the matrix lies that a netlist or a command names.
#pragma once

#include <string>

#include "platform/text/diagnostic.hpp"

namespace heddle {

// The file itself, beside the netlist `beside` ("": none) or in the folder of the caller, or one
// that comes with Heddle. Throws user_error at `named` where there is none.
std::string find_matrix(const std::string& name, const std::string& beside,
                        const source_place& named);

}  // namespace heddle
