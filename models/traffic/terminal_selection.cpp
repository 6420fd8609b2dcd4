#include "models/traffic/terminal_selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "platform/text/csv_reader.hpp"
#include "platform/text/number.hpp"

namespace heddle {
namespace {

std::uint64_t weight_of(const std::string& text, const source_place& place) {
  const bool is_number =
      !text.empty() && text.size() <= 7 &&
      std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  const std::uint64_t weight = is_number ? std::stoull(text) : 0;
  if (weight == 0 || weight > largest_weight)
    throw user_error(place, fmt::format("the weight of a destination is '{}', outside 1 to {}",
                                        text, largest_weight));
  return weight;
}

weighted_glob glob_of(const std::string& text, const source_place& place) {
  const std::size_t colon = text.rfind(':');
  weighted_glob parsed{std::string(trimmed(text.substr(0, colon)))};
  if (colon != std::string::npos)
    parsed.weight = weight_of(std::string(trimmed(text.substr(colon + 1))), place);
  if (parsed.glob.empty())
    throw user_error(place, fmt::format("'{}' names no destination: expected names of terminals "
                                        "with commas between them, as in 'node[0]:3, node[1]'",
                                        text));
  return parsed;
}

}  // namespace

std::string terminal_selection::text() const {
  std::string joined;
  for (const weighted_glob& each : globs) {
    if (!joined.empty()) joined += ", ";
    joined += each.weight == 1 ? each.glob : fmt::format("{}:{}", each.glob, each.weight);
  }
  return joined;
}

void terminals_parameter::parse(const yaml_node& node) {
  value_ = {{}, node.place()};
  csv_format format;
  format.keeps_indices = true;
  for (const yaml_node& item : as_list(node)) {
    const std::string text = as_text(item);
    if (trimmed(text).empty()) continue;
    for (const csv_field& part : csv_fields(text, format))
      value_.globs.push_back(glob_of(part.text, item.place()));
  }
}

}  // namespace heddle
