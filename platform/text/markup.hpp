// Text for HTML and XML: entities stand in place of the characters that would be markup.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

std::string markup_escaped(std::string_view text);   // & < > ": anywhere, also in attributes
std::string content_escaped(std::string_view text);  // & < >: between tags alone

}  // namespace heddle
