// ${...} in whole YAML trees.
#pragma once

#include "platform/yaml/expression.hpp"
#include "platform/yaml/node.hpp"

namespace heddle {

// The tree with every scalar expanded; places stay. Throws user_error at the scalar.
yaml_node expand_tree(const yaml_node& node, const variables& known);

// An integer written as "8", "gpus" or "${gpus / 2}".
std::int64_t expand_integer(const yaml_node& node, const variables& known);

// A condition such as "x < 3", "${has_host}" or true.
bool expand_condition(const yaml_node& node, const variables& known);

// A value of `params:` as integer, double or text.
expression_value expand_value(const yaml_node& node, const variables& known);

}  // namespace heddle
