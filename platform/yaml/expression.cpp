#include "platform/yaml/expression.hpp"

#include <fmt/format.h>

#include "platform/yaml/expression_parser.hpp"

namespace heddle {

std::string value_text(const expression_value& value) {
  return std::visit([](const auto& held) { return fmt::format("{}", held); }, value);
}

expression_value evaluate(std::string_view expression, const variables& known) {
  expression_parser parser(expression, 0, known);
  expression_value value = parser.read();
  if (parser.offset() < expression.size()) parser.refuse_next();
  return value;
}

std::int64_t evaluate_integer(std::string_view expression, const variables& known) {
  const expression_value value = evaluate(expression, known);
  if (const auto* const integer = std::get_if<std::int64_t>(&value)) return *integer;
  throw expression_error(0, "expected an integer, got '" + value_text(value) + "'");
}

std::string expand(std::string_view text, const variables& known) {
  std::string result;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = text.find("${", at);
    result += text.substr(at, open - at);
    if (open == std::string_view::npos) return result;
    expression_parser parser(text, open + 2, known);
    result += value_text(parser.read());
    parser.expect('}');
    at = parser.offset();
  }
}

}  // namespace heddle
