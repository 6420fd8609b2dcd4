// Typed readings of one node. Each throws user_error at the node's place.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "platform/yaml/expression.hpp"
#include "platform/yaml/node.hpp"

namespace heddle {

// Numbers may be quoted, because "${...}" needs quotes.
std::string as_text(const yaml_node& node);
std::int64_t as_integer(const yaml_node& node,
                        std::int64_t minimum = std::numeric_limits<std::int64_t>::min(),
                        std::int64_t maximum = std::numeric_limits<std::int64_t>::max());
// Leaves the number as it is where the key is not there.
template <class Number>
void read_integer(const std::optional<yaml_node>& node, Number& number, std::int64_t minimum,
                  std::int64_t maximum) {
  if (node) number = static_cast<Number>(as_integer(*node, minimum, maximum));
}
std::uint64_t as_unsigned(const yaml_node& node);
double as_double(const yaml_node& node);
bool as_bool(const yaml_node& node);

std::uint64_t as_bytes(const yaml_node& node);
std::uint64_t as_duration(const yaml_node& node);   // femtoseconds
std::uint64_t as_bandwidth(const yaml_node& node);  // bytes a second

// The items of a list; a scalar counts as a list of one.
std::vector<yaml_node> as_list(const yaml_node& node);

// One of the choices; what names the kind of thing in the message ("unknown dtype 'fp61' ...").
std::string as_choice(const yaml_node& node, const std::string& what,
                      const std::vector<std::string>& choices);

// A mistake inside a scalar, at its own column. Exact for scalars of one line without escapes.
[[noreturn]] void raise_inside(const yaml_node& node, const expression_error& error);

}  // namespace heddle
