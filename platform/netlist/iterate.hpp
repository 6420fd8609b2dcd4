// `for: {g: "${gpus}", p: 4}`: an item of a list repeated for every combination of its indices.
#pragma once

#include <functional>

#include "platform/yaml/expression.hpp"
#include "platform/yaml/mapping.hpp"

namespace heddle {

// Calls `item` once for each combination, first name outermost; once if there is no `for`.
void iterate(yaml_mapping& mapping, const variables& known,
             const std::function<void(const variables&)>& item);

// Without the key, for the repeated reading of the rest.
yaml_node without_key(const yaml_node& mapping, const std::string& key);

}  // namespace heddle
