// "--set a.b[2].c=value": one value of a tree replaced, or taken away.
#pragma once

#include <string>

#include "platform/yaml/node.hpp"

namespace heddle {

// A copy of root with another value at the path; what does not change is shared. All of the path
// must exist, except that its last key may be new in a mapping. The value is text or "[...]" or
// "{...}"; its place is "--set PATH". An empty value takes the key away, which must exist. Throws
// user_error.
yaml_node with_override(const yaml_node& root, const std::string& path,
                        const std::string& value_text);

}  // namespace heddle
