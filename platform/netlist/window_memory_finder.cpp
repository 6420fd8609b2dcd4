#include "platform/netlist/window_memory_finder.hpp"

#include <algorithm>

#include "platform/firmware/rank_core.hpp"
#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

// Of the memory at the end of a range that overlaps the window.
window_memory memory_behind(const seen_range& range, const rank_resources& core,
                            const planned_unit& unit, const parameter_base& size) {
  const std::uint64_t begin = std::max(range.base, core.window);
  const std::uint64_t last =
      std::min(range.base + (range.size - 1), core.window + (core.window_bytes - 1));
  window_memory found;
  found.path = unit.path;
  found.size = parse_bytes(size.text());
  found.place = place_of(size.name(), unit);
  found.first = begin - core.window;
  found.mapped = last - begin + 1;
  const std::uint64_t in_memory = begin - range.offset;
  found.there =
      found.size > in_memory ? std::min(found.size - in_memory, found.mapped) : std::uint64_t{0};
  return found;
}

bool overlaps(const seen_range& range, const rank_resources& core) {
  return range.holds(core.window) || core.holds(range.base);
}

}  // namespace

window_memory_finder::window_memory_finder(const netlist_plan& plan) : plan_(plan) {
  for (const planned_bind& each : plan.binds) {
    leads_on_.insert(each.from.unit());
    if (each.from.port == "memory") behind_.emplace(each.from.unit(), each.to.owner);
  }
}

const planned_unit* window_memory_finder::memory_at(const std::string& path) const {
  const planned_unit* unit = plan_.find_unit(path);
  std::size_t passed = 0;
  for (auto next = behind_.find(path); next != behind_.end() && passed <= behind_.size();
       ++passed) {
    unit = next->second;
    next = behind_.find(unit->path);
  }
  return leads_on_.count(unit->path) == 0 ? unit : nullptr;
}

std::vector<window_memory> window_memory_finder::memories_of(const core_view& view,
                                                             const rank_resources& core) const {
  std::vector<window_memory> found;
  if (core.window_bytes == 0) return found;
  for (const seen_range& each : view.ranges) {
    if (!overlaps(each, core)) continue;
    const planned_unit* const unit = memory_at(each.to.unit());
    if (!unit) continue;
    if (const parameter_base* const size = find_parameter(*unit, "size"))
      found.push_back(memory_behind(each, core, *unit, *size));
  }
  return found;
}

}  // namespace heddle
