// What the user wrote, fit for a message: quoted, short, without control characters.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// "text" in double quotes; beyond 60 characters it ends in "...".
std::string quoted(std::string_view text);

}  // namespace heddle
