#include "platform/export/netlist_svd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "platform/firmware/rank_core.hpp"
#include "platform/registers/register_directory.hpp"
#include "platform/registers/register_file.hpp"

namespace heddle {
namespace {

const register_file* registers_of(simulation& sim, const std::string& path) {
  for (const register_file* each : sim.service<register_directory>().files)
    if (each->path() == path) return each;
  return nullptr;
}

// NUMBER of "irq[NUMBER]".
std::optional<std::uint64_t> numbered(const std::string& port, const std::string& front) {
  if (port.rfind(front, 0) != 0 || port.back() != ']') return std::nullopt;
  const std::string digits = port.substr(front.size(), port.size() - front.size() - 1);
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

// Adds the devices that the core's firmware finds behind the network, by address among the others.
void add_far_devices(const core_view& view, simulation& sim, std::vector<svd_peripheral>& found) {
  const auto* core = dynamic_cast<const rank_core*>(sim.find_unit(view.core->path));
  if (!core) return;
  for (const core_device& each : core->devices().all()) {
    const bool is_known = std::any_of(found.begin(), found.end(), [&](const svd_peripheral& known) {
      return known.path == each.registers->path();
    });
    if (is_known) continue;
    const auto behind = std::find_if(found.begin(), found.end(), [&](const svd_peripheral& other) {
      return other.base > each.base;
    });
    found.insert(behind, {each.registers->path(), each.base, &each.registers->description()});
  }
}

}  // namespace

std::vector<svd_peripheral> peripherals_of(const core_view& view, simulation& sim) {
  std::vector<svd_peripheral> found;
  const register_file* const own = registers_of(sim, view.core->path);
  const std::uint64_t host = view.address_parameter("host", 0);
  bool is_own_there = own == nullptr || host == 0;
  const auto add_own = [&] {
    if (!is_own_there) found.push_back({own->path(), host, &own->description()});
    is_own_there = true;
  };
  for (const seen_range& each : view.ranges) {
    if (each.base >= host) add_own();
    const register_file* const block = registers_of(sim, each.to.unit());
    if (block && each.to.port == "registers")
      found.push_back({block->path(), each.base, &block->description()});
  }
  add_own();
  add_far_devices(view, sim, found);
  return found;
}

void add_interrupts(const netlist_plan& plan, const core_view& view,
                    std::vector<svd_peripheral>& peripherals) {
  const auto is_peripheral = [&](const std::string& unit) {
    return std::any_of(peripherals.begin(), peripherals.end(),
                       [&](const svd_peripheral& each) { return each.path == unit; });
  };
  for (const planned_bind& bind : plan.binds) {
    const bool is_core = bind.to.unit() == view.core->path;
    const auto number = numbered(bind.to.port, is_core ? "irq[" : "in[");
    if (!number || !(is_core || is_peripheral(bind.to.unit()))) continue;
    for (svd_peripheral& each : peripherals)
      if (each.path == bind.from.unit()) each.interrupts.push_back({bind.from.port, *number});
  }
}

std::string netlist_svd(const netlist_plan& plan, const core_view& view, simulation& sim) {
  svd_device device;
  device.name = plan.name;
  device.description = fmt::format("{} as {} sees it", plan.name, view.core->path);
  device.peripherals = peripherals_of(view, sim);
  add_interrupts(plan, view, device.peripherals);
  if (device.peripherals.empty())
    throw user_error(view.core->place, view.core->path + " sees no registers on its bus");
  return svd_text(device);
}

}  // namespace heddle
