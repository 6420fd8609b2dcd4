// Name patterns: '*' stands for any characters, dots included, '?' for exactly one. Brackets are
// ordinary characters, because unit paths such as gpu[0] hold them.
#pragma once

#include <string_view>

namespace heddle {

bool glob_match(std::string_view pattern, std::string_view name);

}  // namespace heddle
