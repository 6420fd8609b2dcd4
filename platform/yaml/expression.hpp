// Arithmetic in YAML texts: "${gpus / 2}", "(g + 1) % gpus". Integers stay integers and exact;
// anything that overflows, divides by zero or names an unknown variable is an error.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

namespace heddle {

using expression_value = std::variant<std::int64_t, double, std::string>;
using variables = std::map<std::string, expression_value>;

// offset() counts characters from the front of the text, so that the reader of a file can add it
// to the column where the text starts.
class expression_error : public std::runtime_error {
 public:
  expression_error(std::size_t offset, const std::string& message)
      : std::runtime_error(message), offset_(offset) {}
  std::size_t offset() const { return offset_; }

 private:
  std::size_t offset_;
};

// In order of precedence, loosest first:  ?:  ||  &&  == !=  < <= > >=  + -  * / %  unary - !
// Functions: min, max (any number of arguments), ceil_div(a, b), log2 (of exact powers).
// Integers divide to the floor and % takes the sign of the divisor; a double makes the result a
// double. Comparisons give 1 or 0. Only the branch taken is computed. Text ('abc' or a variable)
// can be compared for equality, chosen by ?: and returned.
expression_value evaluate(std::string_view expression, const variables& known);
std::int64_t evaluate_integer(std::string_view expression, const variables& known);

// The text with every ${expression} replaced by its value.
std::string expand(std::string_view text, const variables& known);

// Shortest digits that read back as the same value.
std::string value_text(const expression_value& value);

}  // namespace heddle
