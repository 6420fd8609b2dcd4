#include "platform/trace/gtkw_groups.hpp"

#include <algorithm>
#include <unordered_map>

#include "platform/trace/glob.hpp"

namespace heddle {

namespace {

gtkw_color color_of(trace_kind kind) {
  switch (kind) {
    case trace_kind::state:
      return gtkw_color::orange;
    case trace_kind::text:
      return gtkw_color::violet;
    case trace_kind::bit:
      return gtkw_color::green;
    case trace_kind::vector:
    case trace_kind::integer:
      return gtkw_color::yellow;
    case trace_kind::real:
      return gtkw_color::indigo;
  }
  return gtkw_color::automatic;
}

// "gpu[1]", but neither "gpu[0]" nor "host".
bool is_later_element(const std::string& unit) {
  return unit.find('[') != std::string::npos && unit.find("[0]") == std::string::npos;
}

bool is_level(const trace_declaration& signal, const std::vector<std::string>& numbers) {
  return signal.kind == trace_kind::vector &&
         std::none_of(numbers.begin(), numbers.end(),
                      [&](const std::string& glob) { return glob_match(glob, signal.name()); });
}

}  // namespace

std::vector<gtkw_group> gtkw_groups_by_unit(const std::vector<trace_declaration>& signals,
                                            const std::vector<std::string>& numbers) {
  std::vector<gtkw_group> groups;
  std::unordered_map<std::string, std::size_t> group_of_unit;
  for (const trace_declaration& signal : signals) {
    const std::string unit = signal.path.substr(0, signal.path.find('.'));
    const auto [found, added] = group_of_unit.try_emplace(unit, groups.size());
    if (added) groups.push_back({unit, {}, is_later_element(unit)});
    groups[found->second].entries.push_back(
        {signal.name(), is_level(signal, numbers) ? gtkw_format::analog : gtkw_format::automatic,
         color_of(signal.kind)});
  }
  return groups;
}

}  // namespace heddle
