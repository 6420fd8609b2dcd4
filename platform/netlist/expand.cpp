#include "platform/netlist/expand.hpp"

#include <charconv>

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

template <class T>
bool reads_as(const std::string& text, T& value) {
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc{} && result.ptr == end;
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
  std::int64_t integer = 0;
  if (reads_as(text, integer)) return integer;
  double number = 0;
  if (reads_as(text, number)) return number;
  return text;
}

}  // namespace heddle
