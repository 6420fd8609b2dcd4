#include "models/workloads/collective/accelerator_obstacle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

#include "models/inc/isa/isa.hpp"
#include "models/workloads/collective/endpoint_of_rank.hpp"
#include "platform/registers/register_file.hpp"
#include "platform/services/link_directory.hpp"

namespace heddle {
namespace {

constexpr std::string_view accelerator = "isa";

// Paths of the accelerators among a core's devices.
void add_accelerators_of(const rank_core& core, std::set<std::string>& paths) {
  for (const core_device& each : core.devices().all())
    if (each.registers->description().name == accelerator) paths.insert(each.registers->path());
}

// The switches that they are in, by accelerator.
std::vector<std::pair<const unit*, const unit*>> switches_of(const std::set<std::string>& paths,
                                                             simulation& sim) {
  const fabric& net = sim.service<fabric>();
  std::vector<std::pair<const unit*, const unit*>> all;
  for (std::size_t id = 0; id < net.endpoints(); ++id) {
    const endpoint_record& of = net.endpoint(static_cast<endpoint_id>(id));
    if (!of.is_inc || !dynamic_cast<const isa_unit*>(of.owner)) continue;
    if (paths.count(of.owner->path()) > 0 && !of.homes.empty())
      all.emplace_back(of.owner, of.homes.front());
  }
  return all;
}

}  // namespace

std::string obstacle_of_accelerators(const collective_algorithm& algorithm,
                                     const workload_cores& cores, simulation& sim) {
  if (std::find(algorithm.needs.begin(), algorithm.needs.end(), accelerator) ==
      algorithm.needs.end())
    return {};
  std::set<std::string> paths;
  add_accelerators_of(*cores.ranks.front(), paths);
  for (const rank_core* each : cores.setup) add_accelerators_of(*each, paths);
  std::set<std::pair<const unit*, const unit*>> linked;  // from, to
  for (const link_record& each : sim.service<link_directory>().links)
    linked.emplace(&each.from->owner(), &each.to->owner());
  for (const auto& [device, at] : switches_of(paths, sim))
    for (const rank_core* each : cores.ranks)
      if (const unit* const memory = endpoint_unit_of(*each, sim);
          memory && linked.count({memory, at}) == 0)
        return fmt::format(
            "{} needs all ranks at the switches of {}, and {} is not at that of {}: `devices` of "
            "its core, a list of globs, leaves out what is not its own",
            algorithm.name, algorithm.hardware, each->rank_path(), device->path());
  return {};
}

}  // namespace heddle
