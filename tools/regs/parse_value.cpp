// The kinds of values that the parts of a *.regs.yaml share.
#include <fmt/format.h>

#include "platform/text/quote.hpp"
#include "platform/yaml/value.hpp"
#include "tools/regs/parse_register.hpp"

namespace heddle::regs {
namespace {

// Words of letters and digits with single '_' between them, the first letter one of `letters`.
bool is_words(const std::string& name, char first_letter, char last_letter) {
  const auto is_letter = [&](char c) { return c >= first_letter && c <= last_letter; };
  bool after_gap = true;
  for (const char c : name) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_letter(c) && !is_digit && (c != '_' || after_gap)) return false;
    after_gap = c == '_';
  }
  return !after_gap && is_letter(name.front());
}

}  // namespace

std::string snake_case_name(const yaml_node& node) {
  std::string name = as_text(node);
  if (is_words(name, 'a', 'z')) return name;
  throw user_error(node.place(), fmt::format("name {} is not snake_case", quoted(name)));
}

std::string upper_case_name(const std::string& name, const source_place& place) {
  if (is_words(name, 'A', 'Z')) return name;
  throw user_error(place, fmt::format("name {} of a value is not UPPER_CASE", quoted(name)));
}

std::string meaning(const yaml_node& node) {
  std::string text = as_text(node);
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) {
      throw user_error(node.place(), "a meaning is one line of text");
    }
  }
  if (text.empty()) throw user_error(node.place(), "a meaning is missing");
  return text;
}

std::uint64_t bounded(const yaml_node& node, std::uint64_t lowest, std::uint64_t highest) {
  const std::uint64_t value = as_unsigned(node);
  if (value >= lowest && value <= highest) return value;
  throw user_error(node.place(),
                   fmt::format("{:#x} is not within {:#x}..{:#x}", value, lowest, highest));
}

const std::vector<yaml_node>& list_of(const yaml_node& node, const char* what) {
  if (node.is_sequence() && !node.items().empty()) return node.items();
  throw user_error(node.place(), fmt::format("{} must be a list that is not empty", what));
}

register_access access(const yaml_node& node) {
  static const std::vector<std::string> names = {"RO", "WO", "RW", "W1C", "W1S", "RC"};
  const std::string name = as_choice(node, "access", names);
  std::size_t index = 0;
  while (names[index] != name) ++index;
  return static_cast<register_access>(index);
}

}  // namespace heddle::regs
