#include "platform/export/netlist_svd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "platform/netlist/seen_registers.hpp"
#include "platform/registers/register_directory.hpp"
#include "platform/registers/register_file.hpp"

namespace heddle {
namespace {

// NUMBER of "irq[NUMBER]".
std::optional<std::uint64_t> numbered(const std::string& port, const std::string& front) {
  if (port.rfind(front, 0) != 0 || port.back() != ']') return std::nullopt;
  const std::string digits = port.substr(front.size(), port.size() - front.size() - 1);
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

std::vector<svd_peripheral> peripherals_of(const core_view& view, simulation& sim) {
  std::vector<svd_peripheral> found;
  for (const seen_registers& each : registers_seen(view, sim))
    found.push_back({each.registers->path(), each.base, &each.registers->description()});
  const std::uint64_t host = view.address_parameter("host", 0);
  const auto& files = sim.service<register_directory>().files;
  const auto own = std::find_if(files.begin(), files.end(), [&](const register_file* each) {
    return each->path() == view.core->path;
  });
  if (own == files.end() || host == 0) return found;
  const auto behind = std::find_if(
      found.begin(), found.end(), [host](const svd_peripheral& each) { return each.base >= host; });
  found.insert(behind, {(*own)->path(), host, &(*own)->description()});
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
