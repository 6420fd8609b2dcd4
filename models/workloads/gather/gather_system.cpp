#include "models/workloads/gather/gather_system.hpp"

#include <fmt/format.h>

namespace heddle {
namespace {

template <class Unit>
std::vector<Unit*> units_of(const simulation& sim) {
  std::vector<Unit*> found;
  for (unit* each : sim.units())
    if (auto* const wanted = dynamic_cast<Unit*>(each)) found.push_back(wanted);
  return found;
}

rig* nic_of(const rank_core& core, const std::vector<rig*>& all) {
  for (const core_device& device : core.devices().all())
    for (rig* each : all)
      if (&each->registers() == device.registers) return each;
  return nullptr;
}

}  // namespace

gather_system find_gather_system(const workload_context& context, const source_place& place) {
  const std::vector<rig*> nics = units_of<rig>(context.sim);
  const std::vector<gather_memory*> memories = units_of<gather_memory>(context.sim);
  gather_system system;
  const std::size_t count = context.cores.ranks.size();
  system.nodes.resize(count);
  for (rank_core* core : context.cores.ranks) {
    rig* const nic = nic_of(*core, nics);
    if (!nic)
      throw user_error(place, fmt::format("a gather needs a NIC with gather units, {} has no `rig`",
                                          core->rank_path()));
    if (nic->number() >= count || system.nodes[nic->number()].core)
      throw user_error(place,
                       fmt::format("{} ranks are nodes 0 to {} of a gather, each once: {} is node "
                                   "{}",
                                   count, count - 1, nic->path(), nic->number()));
    system.nodes[nic->number()] = {core, nic, nullptr};
  }
  for (gather_memory* each : memories)
    if (each->number() < count) system.nodes[each->number()].memory = each;
  for (tor* each : units_of<tor>(context.sim)) system.racks.push_back(each);
  return system;
}

}  // namespace heddle
