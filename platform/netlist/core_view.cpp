#include "platform/netlist/core_view.hpp"

#include <algorithm>

#include "platform/text/number.hpp"
#include "platform/text/quantity.hpp"
#include "platform/text/suggest.hpp"

namespace heddle {
namespace {

// Addresses of one bus, from first to last, that a core sees with `offset` added.
struct bus_window {
  std::string bus;
  std::uint64_t first = 0, last = UINT64_MAX;
  std::uint64_t offset = 0;
  const bus_window* nearer = nullptr;  // of the bus that leads here; nullptr at the core's own

  bool is_on_way(const std::string& other) const {
    return bus == other || (nearer && nearer->is_on_way(other));
  }
};

class collector {
 public:
  collector(const plan_map& map, core_view& view) : map_(map), view_(view) {}

  void collect(const bus_window& window) {
    for (const planned_range* each : map_.ranges_of(window.bus)) add(*each, window);
  }

 private:
  void add(const planned_range& range, const bus_window& window) {
    const std::uint64_t first =
        range.is_default ? window.first : std::max(range.base, window.first);
    const std::uint64_t last =
        range.is_default ? window.last : std::min(range.base + range.size - 1, window.last);
    if (first > last) return;
    const std::uint64_t taken_off = range.is_default || range.is_absolute ? 0 : range.base;
    const std::uint64_t offset = window.offset + taken_off;
    if (window.is_on_way(range.to.unit())) return;  // buses may lead into each other
    if (!map_.ranges_of(range.to.unit()).empty())
      return collect({range.to.unit(), first - taken_off, last - taken_off, offset, &window});
    const std::uint64_t base = first + window.offset;
    if (range.is_default) {
      const std::uint64_t size = last - first == UINT64_MAX ? UINT64_MAX : last - first + 1;
      view_.rest.push_back({base, size, range.to, offset});
      return;
    }
    // A nearer range hides what a default range leads to.
    if (!view_.find(base)) view_.ranges.push_back({base, last - first + 1, range.to, offset});
  }

  const plan_map& map_;
  core_view& view_;
};

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

plan_map::plan_map(const netlist_plan& plan) {
  for (const planned_range& each : plan.ranges) ranges_[each.bus->path].push_back(&each);
  for (const planned_bind& each : plan.binds)
    if (each.from.port == "bus") buses_.emplace(each.from.unit(), each.to.unit());
}

const std::vector<const planned_range*>& plan_map::ranges_of(const std::string& bus) const {
  static const std::vector<const planned_range*> none;
  const auto found = ranges_.find(bus);
  return found == ranges_.end() ? none : found->second;
}

const std::string& plan_map::bus_of(const std::string& core) const {
  static const std::string none;
  const auto found = buses_.find(core);
  return found == buses_.end() ? none : found->second;
}

std::vector<std::string> cores_of(const netlist_plan& plan) {
  std::vector<std::string> paths;
  for (const planned_unit& each : plan.units)
    if (find_parameter(each, "firmware")) paths.push_back(each.path);
  return paths;
}

core_view view_of(const plan_map& map, const planned_unit& core) {
  core_view view;
  view.core = &core;
  collector(map, view).collect({map.bus_of(core.path)});
  std::sort(view.ranges.begin(), view.ranges.end(),
            [](const seen_range& a, const seen_range& b) { return a.base < b.base; });
  return view;
}

core_view view_of(const netlist_plan& plan, const std::string& core) {
  const std::vector<std::string> cores = cores_of(plan);
  if (cores.empty()) throw user_error(plan.file + ": the netlist has no core that runs firmware");
  const std::string path = core.empty() ? cores.front() : core;
  if (std::find(cores.begin(), cores.end(), path) == cores.end())
    throw user_error("no core '" + path + "'" + did_you_mean(path, cores));
  return view_of(plan_map(plan), *plan.find_unit(path));
}

}  // namespace heddle
