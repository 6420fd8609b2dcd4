// What is refused before the YAML library sees a byte.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// Throws user_error with the place of the first byte that no file of ours may hold: tabs and other
// control characters, byte order marks, malformed UTF-8; for directives (%YAML); and for a text
// above the size limit.
void screen_yaml(std::string_view text, const std::string& name);

}  // namespace heddle
