#include "platform/unit/count_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle {

count_list_parameter::count_list_parameter(parameter_set& owner, const char* name,
                                           std::vector<std::uint64_t> fallback,
                                           bounds<std::uint64_t> range, std::size_t most,
                                           const char* meaning, const char* source)
    : parameter_base(owner, name, meaning, source),
      counts_(std::move(fallback)),
      range_(range),
      most_(most) {}

std::string count_list_parameter::range() const {
  return fmt::format("each {}..{}, at most {}", range_.lowest, range_.highest, most_);
}

std::string count_list_parameter::text() const {
  return fmt::format("[{}]", fmt::join(counts_, ", "));
}

void count_list_parameter::parse(const yaml_node& node) {
  std::vector<std::uint64_t> counts;
  for (const yaml_node& item : as_list(node))
    counts.push_back(
        static_cast<std::uint64_t>(as_integer(item, static_cast<std::int64_t>(range_.lowest),
                                              static_cast<std::int64_t>(range_.highest))));
  if (counts.empty() || counts.size() > most_)
    throw user_error(node.place(),
                     fmt::format("expected 1 to {} counts, got {}", most_, counts.size()));
  counts_ = std::move(counts);
}

}  // namespace heddle
