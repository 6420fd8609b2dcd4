// Whatever the bytes are, the YAML reader and the readers of its scalars either succeed or throw
// their own errors; and what the exact formatters print reads back as the same value.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "platform/text/quantity.hpp"
#include "platform/yaml/endpoint.hpp"
#include "platform/yaml/expression.hpp"
#include "platform/yaml/mapping.hpp"
#include "platform/yaml/override.hpp"
#include "platform/yaml/parse.hpp"

namespace {

using quantity_parser = std::uint64_t (*)(std::string_view);
using exact_formatter = std::string (*)(std::uint64_t);

void read_quantity(const std::string& text, quantity_parser parse, exact_formatter print) {
  try {
    const std::uint64_t value = parse(text);
    if (parse(print(value)) != value) std::abort();
  } catch (const heddle::quantity_error&) {
  }
}

void read_numbers(const heddle::yaml_node& node) {
  const auto attempt = [](const auto& reader) {
    try {
      reader();
    } catch (const heddle::user_error&) {
    }
  };
  attempt([&] { heddle::as_integer(node, -8, 8); });
  attempt([&] { heddle::as_unsigned(node); });
  attempt([&] { heddle::as_double(node); });
  attempt([&] { heddle::as_bool(node); });
  attempt([&] { heddle::as_list(node); });
  attempt([&] { heddle::as_choice(node, "dtype", {"fp16", "bf16", "fp32"}); });
}

void read_expressions(const std::string& text) {
  const heddle::variables known{
      {"gpus", 8}, {"g", 3}, {"rate", 2.5}, {"name", "ring"}, {"least", INT64_MIN}};
  const auto attempt = [&](const auto& reader) {
    try {
      reader();
    } catch (const heddle::expression_error& error) {
      if (error.offset() > text.size()) std::abort();
    }
  };
  attempt([&] { heddle::evaluate(text, known); });
  attempt([&] { heddle::expand(text, known); });
  attempt([&] { heddle::parse_endpoint(text, known).text(); });
}

void walk(const heddle::yaml_node& node) {
  if (node.origin().empty()) std::abort();
  read_numbers(node);
  if (node.is_scalar()) {
    read_quantity(node.text(), heddle::parse_duration, heddle::exact_duration);
    read_quantity(node.text(), heddle::parse_bytes, heddle::exact_bytes);
    read_quantity(node.text(), heddle::parse_bandwidth, heddle::exact_bandwidth);
    read_expressions(node.text());
  }
  for (const heddle::yaml_node& item : node.items()) walk(item);
  for (const heddle::yaml_entry& entry : node.entries()) walk(entry.value);
}

void override_with_itself(const heddle::yaml_node& root) {
  for (const heddle::yaml_entry& entry : root.entries()) {
    try {
      heddle::with_override(root, entry.key, entry.value.text());
    } catch (const heddle::user_error&) {
    }
  }
}

void read_strictly(const heddle::yaml_node& root) {
  try {
    heddle::yaml_mapping mapping(root, "netlist");
    mapping.optional("name");
    mapping.required("units");
    mapping.finish();
  } catch (const heddle::user_error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const heddle::yaml_node root = heddle::parse_yaml_text(text, "fuzz.yaml");
    walk(root);
    override_with_itself(root);
    read_strictly(root);
  } catch (const heddle::user_error&) {
  }
  return 0;
}
