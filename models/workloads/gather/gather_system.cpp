#include "models/workloads/gather/gather_system.hpp"

#include <fmt/format.h>

#include <algorithm>

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
  for (std::size_t rank = 0; rank < count; ++rank) {
    rank_core* const core = context.cores.ranks[rank];
    rig* const nic = nic_of(*core, nics);
    if (!nic)
      throw user_error(place, fmt::format("a gather needs a NIC with gather units, {} has no `rig`",
                                          core->rank_path()));
    if (nic->number() >= count || system.nodes[nic->number()].core)
      throw user_error(place,
                       fmt::format("{} ranks are nodes 0 to {} of a gather, each once: {} is node "
                                   "{}",
                                   count, count - 1, nic->path(), nic->number()));
    if (nic->number() != rank)
      throw user_error(
          place, fmt::format("rank {} of a gather has {}, which is node {}: name the ranks in "
                             "the order of their nodes",
                             rank, nic->path(), nic->number()));
    system.nodes[nic->number()] = {core, nic, nullptr};
  }
  for (gather_memory* each : memories)
    if (each->number() < count) system.nodes[each->number()].memory = each;
  for (tor* each : units_of<tor>(context.sim)) system.racks.push_back(each);
  system.switches = units_of<packet_switch>(context.sim);
  for (packet_switch* each : system.switches)
    if (!each->bay()) system.plain_switches.push_back(each);
  for (pcie_bridge* each : units_of<pcie_bridge>(context.sim)) system.bridges.push_back(each);
  std::vector<const packet_port*> ports;
  for (const gather_node& each : system.nodes) ports.push_back(&each.nic->port());
  system.ways = gather_ways(std::move(ports), system.switches);
  return system;
}

gather_machine machine_of(const gather_system& system, std::uint32_t clients) {
  const rig& first = *system.nodes.front().nic;
  gather_machine machine;
  machine.nic_clock = 1 / seconds(first.cycle());
  machine.clients = clients == 0 ? first.client_units() : clients;
  machine.pending = first.pending_entries();
  machine.index_bytes = sizeof(column_index);
  // From a node through its switch to another one.
  fs_t link = fs_never, way = fs_never;
  for (const gather_node& each : system.nodes) link = std::min(link, each.nic->port().latency());
  for (const gather_node& each : system.nodes) {
    const packet_port& port = each.nic->port();
    machine.link = std::max(machine.link, static_cast<double>(port.rate().bytes_per_second()));
    const auto* const at = dynamic_cast<const packet_switch*>(&port.peer()->owner());
    way = std::min(way, port.latency() + (at ? at->forwarding() : 0) + link);
  }
  machine.round_trip = seconds(2 * way);
  // The cache of a rack answers halfway.
  machine.held = system.racks.empty() ? machine.round_trip : machine.round_trip / 2;
  fs_t pcie_latency = system.bridges.empty() ? 0 : fs_never;
  for (const pcie_bridge* each : system.bridges) {
    machine.pcie = std::max(machine.pcie, static_cast<double>(each->rate().bytes_per_second()));
    pcie_latency = std::min(pcie_latency, each->latency());
  }
  machine.pcie_latency = seconds(pcie_latency);
  return machine;
}

}  // namespace heddle
