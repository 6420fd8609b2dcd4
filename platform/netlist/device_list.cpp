#include "platform/netlist/device_list.hpp"

#include <algorithm>
#include <sstream>
#include <unordered_map>

#include "platform/firmware/rank_core.hpp"
#include "platform/netlist/core_view.hpp"
#include "platform/netlist/window_memory_finder.hpp"
#include "platform/registers/network_registers.hpp"
#include "platform/registers/register_directory.hpp"
#include "platform/registers/register_file.hpp"
#include "platform/trace/glob.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {
namespace {

std::vector<std::string> globs_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

class device_finder {
 public:
  explicit device_finder(simulation& sim) : network_(sim.service<network_registers>()) {
    for (const register_file* each : sim.service<register_directory>().files) {
      order_.emplace(each, order_.size());
      file_of_.emplace(each->path(), each);
    }
  }

  core_devices devices_of(const rank_core& core, const core_view& view) const {
    const std::vector<std::string> own = globs_of(core.resources().devices);
    std::vector<core_device> found;
    // The way to a device that is found first is the nearest.
    const auto add = [&](const register_file& registers, std::uint64_t base) {
      const bool is_known = std::any_of(found.begin(), found.end(), [&](const core_device& each) {
        return each.registers == &registers || each.base == base;
      });
      const bool is_own = std::any_of(own.begin(), own.end(), [&](const std::string& glob) {
        return glob_match(glob, registers.path());
      });
      if (!is_known && is_own) found.push_back({base, &registers});
    };
    for (const seen_range& each : view.ranges) {
      if (each.to.port != "registers") continue;
      const auto file = file_of_.find(each.to.unit());
      if (file != file_of_.end()) add(*file->second, each.base);
    }
    for (const auto* ranges : {&view.ranges, &view.rest})
      for (const seen_range& each : *ranges) add_network(each, view, add);
    std::sort(found.begin(), found.end(), [this](const core_device& a, const core_device& b) {
      return order_.at(a.registers) < order_.at(b.registers);
    });
    return core_devices(std::move(found));
  }

 private:
  // Adds what lies behind a range that leads to a network, unless a nearer range hides it.
  template <class Add>
  void add_network(const seen_range& range, const core_view& view, Add add) const {
    const auto behind = network_.behind.find(range.to.unit());
    if (behind == network_.behind.end()) return;
    for (const network_register_file& each : behind->second()) {
      const std::uint64_t base = each.base + range.offset;
      const seen_range* const nearer = view.find(base);
      if (range.holds(base) && (!nearer || nearer == &range)) add(*each.registers, base);
    }
  }

  const network_registers& network_;
  std::unordered_map<std::string, const register_file*> file_of_;  // by the unit's path
  std::unordered_map<const register_file*, std::size_t> order_;    // in the netlist
};

}  // namespace

void list_devices(const netlist_plan& plan, simulation& sim) {
  const plan_map map(plan);
  const device_finder devices(sim);
  const window_memory_finder memories(plan);
  for (unit* each : sim.units()) {
    auto* const core = dynamic_cast<rank_core*>(each);
    if (!core) continue;
    const core_view view = view_of(map, *plan.find_unit(core->rank_path()));
    core->set_devices(devices.devices_of(*core, view));
    sim.service<window_memories>().of[core] = memories.memories_of(view, core->resources());
  }
}

}  // namespace heddle
