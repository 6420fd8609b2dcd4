// Values of registers for people.
#pragma once

#include <cstdint>
#include <string>

#include "platform/registers/register_description.hpp"

namespace heddle {

// "RUN", or the number where it has no name.
std::string value_text(const field_description& field, std::uint64_t value);

// "W1C"
const char* access_name(register_access access);

// "state=RUN error=NONE", empty for a register without fields.
std::string fields_text(const register_description& of, std::uint64_t value);

}  // namespace heddle
