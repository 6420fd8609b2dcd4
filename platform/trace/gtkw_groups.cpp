#include "platform/trace/gtkw_groups.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

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

// Where the first index of 1 or more ends, as in "gpu[1]" or "ni.port[12]"; 0: there is none.
std::size_t end_of_later_element(const std::string& path) {
  for (std::size_t open = path.find('['); open != std::string::npos;
       open = path.find('[', open + 1)) {
    const std::size_t close = path.find(']', open);
    if (close != std::string::npos && path.compare(open, close - open, "[0") != 0) return close + 1;
  }
  return 0;
}

// "channel_" of "channel_3", as long as there is a "channel_0" to look at; "" otherwise.
std::string later_leaf(const trace_declaration& signal, const std::set<std::string>& names) {
  const std::size_t digits = signal.leaf.find_last_not_of("0123456789") + 1;
  if (digits == 0 || digits == signal.leaf.size() || signal.leaf[digits - 1] != '_') return {};
  const std::string stem = signal.leaf.substr(0, digits);
  const bool is_later = signal.leaf.compare(digits, std::string::npos, "0") != 0;
  return is_later && names.count(signal.path + "." + stem + "0") > 0 ? stem : std::string();
}

// Registers of 64 bits are addresses, most of them.
gtkw_format format_of(const trace_declaration& signal, const std::set<std::string>& registers) {
  if (signal.kind != trace_kind::vector || signal.is_label) return gtkw_format::automatic;
  if (registers.count(signal.name()) == 0) return gtkw_format::analog;
  return signal.width == 64 ? gtkw_format::hex : gtkw_format::automatic;
}

gtkw_group& group_called(const std::string& name, const std::string& prefix,
                         std::vector<gtkw_group>& groups) {
  for (gtkw_group& each : groups)
    if (each.name == name) return each;
  groups.push_back({name, {}, true, prefix, {}});
  return groups.back();
}

// The group of a signal in that of its unit.
gtkw_group& group_within(gtkw_group& unit, const trace_declaration& signal,
                         const std::set<std::string>& names) {
  const std::string within = signal.path.size() > unit.prefix.size()
                                 ? signal.path.substr(unit.prefix.size())
                                 : std::string();
  const auto title = [](std::string text) {
    std::replace(text.begin(), text.end(), '.', '/');
    return text;
  };
  if (const std::size_t end = end_of_later_element(within); end > 0) {
    const std::string element = within.substr(0, end);
    return group_called(title(element), unit.prefix + element + ".", unit.groups);
  }
  const std::string stem = later_leaf(signal, names);
  if (stem.empty()) return unit;
  const std::string path = within.empty() ? "" : within + ".";
  return group_called(title(path + stem) + "*", unit.prefix + path, unit.groups);
}

}  // namespace

std::vector<gtkw_group> gtkw_groups_by_unit(const std::vector<trace_declaration>& signals,
                                            const std::set<std::string>& registers) {
  std::vector<gtkw_group> groups;
  std::unordered_map<std::string, std::size_t> group_of_unit;
  std::set<std::string> names;
  for (const trace_declaration& signal : signals) names.insert(signal.name());
  for (const trace_declaration& signal : signals) {
    const std::string unit = signal.path.substr(0, signal.path.find('.'));
    const auto [known, added] = group_of_unit.try_emplace(unit, groups.size());
    if (added) groups.push_back({unit, {}, end_of_later_element(unit) > 0, unit + ".", {}});
    group_within(groups[known->second], signal, names)
        .entries.push_back({signal.name(), format_of(signal, registers), color_of(signal.kind)});
  }
  return groups;
}

}  // namespace heddle
