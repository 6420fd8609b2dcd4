// What the user wrote, fit for a message.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// "text" in double quotes, without control characters; beyond 60 characters it ends in "...".
std::string quoted(std::string_view text);

// The whole text, with "\x1b" in place of each byte of a control character, on which a terminal
// would act. Line breaks, tabs and all other characters of UTF-8 stay as they are.
std::string control_escaped(std::string_view text);

}  // namespace heddle
