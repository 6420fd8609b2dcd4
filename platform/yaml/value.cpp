#include "platform/yaml/value.hpp"

#include <fmt/format.h>

#include "platform/text/quantity.hpp"
#include "platform/text/quote.hpp"
#include "platform/text/suggest.hpp"

namespace heddle {
namespace {

const std::string& scalar_text(const yaml_node& node, const char* expected) {
  if (node.is_scalar()) return node.text();
  throw user_error(node.place(),
                   fmt::format("expected {}, got {}", expected, description(node.kind())));
}

template <typename Parser>
auto with_place(const yaml_node& node, const char* expected, Parser parser) {
  const std::string& text = scalar_text(node, expected);
  try {
    return parser(text);
  } catch (const quantity_error& error) {
    throw user_error(node.place(), error.what());
  }
}

std::string range_text(std::int64_t minimum, std::int64_t maximum) {
  if (maximum == std::numeric_limits<std::int64_t>::max()) {
    return fmt::format("of at least {}", minimum);
  }
  if (minimum == std::numeric_limits<std::int64_t>::min()) {
    return fmt::format("of at most {}", maximum);
  }
  return fmt::format("from {} to {}", minimum, maximum);
}

}  // namespace

std::string as_text(const yaml_node& node) {
  return scalar_text(node, "text");
}

std::int64_t as_integer(const yaml_node& node, std::int64_t minimum, std::int64_t maximum) {
  const std::int64_t value = with_place(node, "an integer", parse_integer);
  if (value >= minimum && value <= maximum) return value;
  throw user_error(node.place(), fmt::format("expected an integer {}, got {}",
                                             range_text(minimum, maximum), value));
}

std::uint64_t as_unsigned(const yaml_node& node) {
  return with_place(node, "an integer", parse_unsigned);
}

double as_double(const yaml_node& node) {
  return with_place(node, "a number", parse_double);
}

bool as_bool(const yaml_node& node) {
  return with_place(node, "true or false", parse_bool);
}

std::uint64_t as_bytes(const yaml_node& node) {
  return with_place(node, "a size such as \"64 KiB\"", parse_bytes);
}

std::uint64_t as_duration(const yaml_node& node) {
  return with_place(node, "a duration such as \"250 ns\"", parse_duration);
}

std::uint64_t as_bandwidth(const yaml_node& node) {
  return with_place(node, "a bandwidth such as \"450 GB/s\"", parse_bandwidth);
}

std::vector<yaml_node> as_list(const yaml_node& node) {
  if (node.is_sequence()) return node.items();
  scalar_text(node, "a list");
  return {node};
}

std::string as_choice(const yaml_node& node, const std::string& what,
                      const std::vector<std::string>& choices) {
  const std::string& text = scalar_text(node, what.c_str());
  for (const std::string& choice : choices) {
    if (text == choice) return choice;
  }
  const std::string near = did_you_mean(text, choices);
  const std::string list = fmt::format(" (one of {})", fmt::join(choices, ", "));
  throw user_error(node.place(),
                   "unknown " + what + " " + quoted(text) + (near.empty() ? list : near));
}

void raise_inside(const yaml_node& node, const expression_error& error) {
  source_place place = node.place();
  const int quote = node.quoted() ? 1 : 0;
  if (place.column > 0) place.column += static_cast<int>(error.offset()) + quote;
  throw user_error(place, error.what());
}

}  // namespace heddle
