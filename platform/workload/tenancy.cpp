#include "platform/workload/tenancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "platform/registers/register_file.hpp"

namespace heddle {
namespace {

// Calls action(core, device) for what the workload sets up.
template <class Action>
void for_each_set_up(const workload_cores& cores, const tenant_directory& known, Action action) {
  for (const rank_core* core : cores.setup)
    for (const core_device& each : core->devices().all())
      if (known.rooms.count(each.registers) != 0) action(*core, *each.registers);
}

// For each workload, the first one that sets up a device with it, or with another workload that
// does: workloads are joined over any number of devices.
std::vector<std::size_t> joined(const std::vector<workload_cores>& workloads,
                                const tenant_directory& devices) {
  std::vector<std::size_t> first(workloads.size());
  std::iota(first.begin(), first.end(), std::size_t{0});
  std::unordered_map<const register_file*, std::size_t> users;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    for_each_set_up(workloads[i], devices, [&](const rank_core&, const register_file& device) {
      const std::size_t mine = first[i];
      const std::size_t other = first[users.emplace(&device, i).first->second];
      for (std::size_t& each : first)
        if (each == mine || each == other) each = std::min(mine, other);
    });
  }
  return first;
}

}  // namespace

bool have_same_cores(const workload_cores& a, const workload_cores& b) {
  return a.ranks == b.ranks && a.setup == b.setup;
}

std::vector<tenancy> tenancies_of(const std::vector<workload_cores>& workloads,
                                  const tenant_directory& devices) {
  const std::vector<std::size_t> first = joined(workloads, devices);
  std::vector<std::uint32_t> counts(workloads.size(), 0);
  std::vector<tenancy> all(workloads.size());
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    std::size_t same = 0;
    while (!have_same_cores(workloads[same], workloads[i])) ++same;
    all[i].number = same < i ? all[same].number : counts[first[i]]++;
  }
  for (std::size_t i = 0; i < workloads.size(); ++i) all[i].count = counts[first[i]];
  return all;
}

void check_tenancy(const workload_settings& settings, const workload_cores& cores,
                   const tenancy& own, const tenant_directory& devices) {
  std::unordered_map<const register_file*, const rank_core*> users;
  for_each_set_up(cores, devices, [&](const rank_core& core, const register_file& device) {
    const rank_core& first = *users.emplace(&device, &core).first->second;
    if (&first != &core)
      throw user_error(settings.setup_place,
                       fmt::format("{} and {} would both set {} up: name one of them",
                                   first.rank_path(), core.rank_path(), device.path()));
    if (const std::uint32_t room = devices.rooms.at(&device); own.count > room)
      throw user_error(
          settings.setup_place,
          fmt::format("{} workloads share devices that their cores set up, and {} has room for {}: "
                      "give workloads the same `ranks` and `setup`, so that they take turns, or "
                      "devices of their own",
                      own.count, device.path(), room));
  });
}

}  // namespace heddle
