#include "models/workloads/collective/vectors_of_ranks.hpp"

#include <string>
#include <unordered_map>

#include "platform/registers/register_file.hpp"

namespace heddle {

std::vector<const vector_unit*> vectors_of(const workload_cores& cores, const simulation& sim) {
  std::unordered_map<std::string, const vector_unit*> by_path;
  for (const unit* each : sim.units())
    if (const auto* const vector = dynamic_cast<const vector_unit*>(each))
      by_path.emplace(vector->path(), vector);
  std::vector<const vector_unit*> found;
  for (const rank_core* each : cores.ranks)
    for (const core_device& device : each->devices().all()) {
      const auto vector = by_path.find(device.registers->path());
      if (vector != by_path.end() && device.instance == 0) found.push_back(vector->second);
    }
  return found;
}

}  // namespace heddle
