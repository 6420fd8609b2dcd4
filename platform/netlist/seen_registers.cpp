#include "platform/netlist/seen_registers.hpp"

#include <algorithm>
#include <string>

#include "platform/firmware/rank_core.hpp"
#include "platform/registers/register_directory.hpp"
#include "platform/registers/register_file.hpp"

namespace heddle {
namespace {

register_file* registers_of(simulation& sim, const std::string& unit) {
  for (register_file* each : sim.service<register_directory>().files)
    if (each->path() == unit) return each;
  return nullptr;
}

// Bytes from `base` on that lead where it does.
std::uint64_t room_at(const core_view& view, std::uint64_t base) {
  if (const seen_range* const range = view.find(base)) return range->base + range->size - base;
  for (const seen_range& next : view.ranges)
    if (next.base > base) return next.base - base;
  return UINT64_MAX - base;
}

}  // namespace

std::vector<seen_registers> registers_seen(const core_view& view, simulation& sim) {
  std::vector<seen_registers> found;
  for (const seen_range& each : view.ranges) {
    if (each.to.port != "registers") continue;
    if (register_file* const block = registers_of(sim, each.to.unit()))
      found.push_back({each.base, each.size, block});
  }
  const auto* const core = dynamic_cast<const rank_core*>(sim.find_unit(view.core->path));
  if (!core) return found;
  for (const core_device& each : core->devices().all()) {
    const bool is_known = std::any_of(found.begin(), found.end(), [&](const seen_registers& known) {
      return known.registers == each.registers;
    });
    register_file* const block = is_known ? nullptr : registers_of(sim, each.registers->path());
    if (block) found.push_back({each.base, room_at(view, each.base), block});
  }
  std::stable_sort(
      found.begin(), found.end(),
      [](const seen_registers& a, const seen_registers& b) { return a.base < b.base; });
  return found;
}

}  // namespace heddle
