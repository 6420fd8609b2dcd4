#include "platform/export/netlist_svd.hpp"

#include <fmt/format.h>

#include "platform/registers/register_directory.hpp"
#include "platform/registers/register_file.hpp"

namespace heddle {
namespace {

const register_file* registers_of(simulation& sim, const std::string& path) {
  for (const register_file* each : sim.service<register_directory>().files)
    if (each->path() == path) return each;
  return nullptr;
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
    const register_file* const block = registers_of(sim, each.to.unit);
    if (block && each.to.port == "registers")
      found.push_back({block->path(), each.base, &block->description()});
  }
  add_own();
  return found;
}

std::string netlist_svd(const netlist_plan& plan, const core_view& view, simulation& sim) {
  svd_device device;
  device.name = plan.name;
  device.description = fmt::format("{} as {} sees it", plan.name, view.core->path);
  device.peripherals = peripherals_of(view, sim);
  if (device.peripherals.empty())
    throw user_error(view.core->place, view.core->path + " sees no registers on its bus");
  return svd_text(device);
}

}  // namespace heddle
