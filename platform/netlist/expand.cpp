#include "platform/netlist/expand.hpp"

#include <charconv>
#include <optional>

#include "platform/text/number.hpp"
#include "platform/yaml/arithmetic.hpp"
#include "platform/yaml/value.hpp"

namespace heddle {
namespace {

std::string expand_text(const yaml_node& node, const variables& known) {
  try {
    return expand(node.text(), known);
  } catch (const expression_error& error) {
    raise_inside(node, error);
  }
}

// Whether a lenient reader takes the whole text for a decimal number: 08, .5 and 1e999 are some,
// inf and 10us are none.
bool is_number(const std::string& text) {
  const std::size_t sign = text.substr(0, 1) == "-" ? 1 : 0;
  if (text.find_first_of("0123456789.", sign) != sign) return false;
  double ignored = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, ignored);
  return error != std::errc::invalid_argument && rest == end;
}

// Such as 0x1f, if it fits the integers of expressions: a larger address stays a text, which units
// read themselves.
std::optional<std::int64_t> hexadecimal(const std::string& text) {
  const std::size_t digits = text.substr(0, 1) == "-" ? 1 : 0;
  if (text.compare(digits, 2, "0x") != 0) return std::nullopt;
  try {
    return parse_integer(text);
  } catch (const quantity_error&) {
    return std::nullopt;
  }
}

// Throws quantity_error where only a lenient reader takes the text for a number.
expression_value value_of(const std::string& text) {
  if (const auto value = hexadecimal(text)) return *value;
  if (!is_number(text)) return text;
  const bool is_integer = text.find_first_not_of("-0123456789") == std::string::npos;
  if (is_integer) return parse_integer(text);
  return parse_double(text);
}

// Most of a netlist is the same for every element of an array: that is shared, not copied.
bool has_expression(const yaml_node& node) {
  if (node.is_scalar()) return node.text().find("${") != std::string::npos;
  for (const yaml_node& item : node.items())
    if (has_expression(item)) return true;
  for (const yaml_entry& entry : node.entries())
    if (has_expression(entry.value)) return true;
  return false;
}

}  // namespace

yaml_node expand_tree(const yaml_node& node, const variables& known) {
  if (!has_expression(node)) return node;
  switch (node.kind()) {
    case yaml_node::type::null:
      return node;
    case yaml_node::type::scalar:
      return yaml_node::scalar(expand_text(node, known), node.quoted(), node.place());
    case yaml_node::type::sequence: {
      std::vector<yaml_node> items;
      for (const yaml_node& item : node.items()) items.push_back(expand_tree(item, known));
      return yaml_node::sequence(std::move(items), node.place());
    }
    case yaml_node::type::mapping: {
      std::vector<yaml_entry> entries;
      for (const yaml_entry& entry : node.entries())
        entries.push_back({entry.key, entry.key_place, expand_tree(entry.value, known)});
      return yaml_node::mapping(std::move(entries), node.place());
    }
  }
  return node;
}

std::int64_t expand_integer(const yaml_node& node, const variables& known) {
  const std::string text = expand_text(node, known);
  try {
    return evaluate_integer(text, known);
  } catch (const expression_error& error) {
    raise_inside(node, error);
  }
}

bool expand_condition(const yaml_node& node, const variables& known) {
  const std::string text = expand_text(node, known);
  if (text == "true" || text == "false") return text == "true";
  try {
    return is_true(evaluate(text, known));
  } catch (const expression_error& error) {
    raise_inside(node, error);
  } catch (const quantity_error& error) {
    throw user_error(node.place(), error.what());
  }
}

expression_value expand_value(const yaml_node& node, const variables& known) {
  if (!node.is_scalar()) throw user_error(node.place(), "a parameter is a number or a text");
  const std::string text = expand_text(node, known);
  try {
    return value_of(text);
  } catch (const quantity_error& error) {
    if (node.quoted()) return text;
    throw user_error(node.place(), error.what());
  }
}

}  // namespace heddle
