// Text between the tags of HTML and XML, or in their attributes.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// The text with entities in place of the characters that would be markup: & < > and ".
std::string markup_escaped(std::string_view text);

}  // namespace heddle
