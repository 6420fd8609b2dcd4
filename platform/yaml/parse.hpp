// The one reader of YAML files. Stricter than YAML: one document; no anchors, aliases, tags, merge
// keys, duplicate keys or tabs; bounded depth and size. Every mistake is a user_error with place.
#pragma once

#include <string>
#include <string_view>

#include "platform/yaml/node.hpp"

namespace heddle {

yaml_node parse_yaml_file(const std::string& path);

// name stands for the file in places.
yaml_node parse_yaml_text(std::string_view text, const std::string& name);

// One value as on a command line: text, "[1, 2]" or "{a: 1}", all of it at this place.
yaml_node parse_yaml_value(std::string_view text, const source_place& place);

}  // namespace heddle
