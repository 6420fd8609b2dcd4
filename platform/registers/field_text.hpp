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

// "state=RUN error=NONE", empty for a register without fields. Of an access to a part of the
// register `bits` says which: fields outside are left out.
std::string fields_text(const register_description& of, std::uint64_t value,
                        std::uint64_t bits = ~std::uint64_t{0});
// The bits of an access of so many bytes, 8 at most, from that byte of the register on.
std::uint64_t accessed_bits(unsigned first_byte, unsigned bytes);

}  // namespace heddle
