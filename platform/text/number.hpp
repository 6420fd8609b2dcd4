// Plain numbers from text, strictly: what another YAML reader might read as an octal number or as
// text is refused here, with a message that says what to write.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace heddle {

// A value that cannot be read. It knows no place: whoever read the text adds it.
class quantity_error : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// Decimal or 0x hexadecimal; a minus is allowed for the signed one.
std::int64_t parse_integer(std::string_view text);
std::uint64_t parse_unsigned(std::string_view text);

// Decimal with an optional exponent; neither infinity nor NaN.
double parse_double(std::string_view text);

// "true" or "false", nothing else.
bool parse_bool(std::string_view text);

// Text without blanks at both ends.
std::string_view trimmed(std::string_view text);

// The length of the digits ("450", "112.5") at the front of text; 0 where there is no well-formed
// number. Throws for leading zeros, because some readers take them for octal.
std::size_t decimal_length(std::string_view text);

}  // namespace heddle
