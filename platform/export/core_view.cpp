#include "platform/export/core_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/text/number.hpp"
#include "platform/text/quantity.hpp"
#include "platform/text/suggest.hpp"

namespace heddle {
namespace {

const parameter_base* find_parameter(const planned_unit& unit, const std::string& name) {
  for (const parameter_base* each : unit.parameters->all())
    if (each->name() == name) return each;
  return nullptr;
}

// Addresses of one bus, from first to last, that a core sees with `offset` added.
struct bus_window {
  std::string bus;
  std::uint64_t first = 0, last = UINT64_MAX;
  std::uint64_t offset = 0;
};

class collector {
 public:
  collector(const netlist_plan& plan, std::vector<seen_range>& found)
      : plan_(plan), found_(found) {}

  void collect(const bus_window& window, int depth) {
    constexpr int deepest = 8;  // buses that lead to one another
    if (depth > deepest) return;
    for (const planned_range& each : plan_.ranges)
      if (each.bus == window.bus) add(each, window, depth);
  }

 private:
  bool is_bus(const std::string& unit) const {
    return std::any_of(plan_.ranges.begin(), plan_.ranges.end(),
                       [&](const planned_range& each) { return each.bus == unit; });
  }

  void add(const planned_range& range, const bus_window& window, int depth) {
    const std::uint64_t first =
        range.is_default ? window.first : std::max(range.base, window.first);
    const std::uint64_t last =
        range.is_default ? window.last : std::min(range.base + range.size - 1, window.last);
    if (first > last) return;
    const std::uint64_t taken_off = range.is_default || range.is_absolute ? 0 : range.base;
    if (is_bus(range.to.unit))
      return collect(
          {range.to.unit, first - taken_off, last - taken_off, window.offset + taken_off},
          depth + 1);
    if (range.is_default) return;
    const std::uint64_t base = first + window.offset;
    // A nearer range hides what a default range leads to.
    const bool is_hidden = std::any_of(found_.begin(), found_.end(),
                                       [&](const seen_range& each) { return each.holds(base); });
    if (!is_hidden) found_.push_back({base, last - first + 1, range.to});
  }

  const netlist_plan& plan_;
  std::vector<seen_range>& found_;
};

// "" where the core is bound to nothing.
std::string bus_of(const netlist_plan& plan, const std::string& core) {
  for (const planned_bind& each : plan.binds)
    if (each.from.unit == core && each.from.port == "bus") return each.to.unit;
  return {};
}

}  // namespace

const seen_range* core_view::find(std::uint64_t address) const {
  for (const seen_range& each : ranges)
    if (each.holds(address)) return &each;
  return nullptr;
}

bool core_view::has_parameter(const std::string& name) const {
  return find_parameter(*core, name) != nullptr;
}

std::uint64_t core_view::address_parameter(const std::string& name, std::uint64_t fallback) const {
  const parameter_base* const found = find_parameter(*core, name);
  return found ? parse_unsigned(found->text()) : fallback;
}

std::uint64_t core_view::bytes_parameter(const std::string& name, std::uint64_t fallback) const {
  const parameter_base* const found = find_parameter(*core, name);
  return found ? parse_bytes(found->text()) : fallback;
}

std::vector<std::string> cores_of(const netlist_plan& plan) {
  std::vector<std::string> paths;
  for (const planned_unit& each : plan.units)
    if (find_parameter(each, "firmware")) paths.push_back(each.path);
  return paths;
}

core_view view_of(const netlist_plan& plan, const std::string& core) {
  const std::vector<std::string> cores = cores_of(plan);
  if (cores.empty()) throw user_error(plan.file + ": the netlist has no core that runs firmware");
  const std::string path = core.empty() ? cores.front() : core;
  if (std::find(cores.begin(), cores.end(), path) == cores.end())
    throw user_error("no core '" + path + "'" + did_you_mean(path, cores));
  core_view view;
  view.core = plan.find_unit(path);
  collector(plan, view.ranges).collect({bus_of(plan, path)}, 0);
  std::sort(view.ranges.begin(), view.ranges.end(),
            [](const seen_range& a, const seen_range& b) { return a.base < b.base; });
  return view;
}

}  // namespace heddle
