// The operators and functions of expressions, checked. They throw quantity_error: the parser knows
// the offset and adds it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/yaml/expression.hpp"

namespace heddle {

// + - * / % == != < <= > >=
expression_value apply_operator(std::string_view name, const expression_value& left,
                                const expression_value& right);
expression_value negated(const expression_value& value);
// Whether a number is not zero.
bool is_true(const expression_value& value);

const std::vector<std::string>& function_names();
expression_value call_function(const std::string& name,
                               const std::vector<expression_value>& arguments);

}  // namespace heddle
