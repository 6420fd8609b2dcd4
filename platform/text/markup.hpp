// Text between the tags of HTML and XML, or in their attributes.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// The characters that would be markup stand as entities.
std::string markup_escaped(std::string_view text);

}  // namespace heddle
