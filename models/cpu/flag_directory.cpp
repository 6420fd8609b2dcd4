#include "models/cpu/flag_directory.hpp"

#include <algorithm>

#include "platform/buffers/buffer_watch.hpp"
#include "platform/firmware/rank_core.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/workload/rank_memory.hpp"

namespace heddle {

const flag_area* flag_directory::find(simulation& sim, std::uint64_t address) {
  if (!is_listed_) list(sim);
  const auto after =
      std::upper_bound(areas_.begin(), areas_.end(), address,
                       [](std::uint64_t at, const flag_area& each) { return at < each.begin; });
  if (after == areas_.begin()) return nullptr;
  const flag_area& found = *(after - 1);
  return address < found.end ? &found : nullptr;
}

void flag_directory::list(simulation& sim) {
  is_listed_ = true;
  if (!sim.service<buffer_directory>().is_on) return;
  for (const rank_core* each : sim.service<rank_directory>().cores) {
    const rank_resources of = each->resources();
    if (of.window_bytes == 0) continue;
    const rank_memory layout(of.window_bytes);
    areas_.push_back({of.window + layout.flags, of.window + layout.rings, each});
  }
  std::sort(areas_.begin(), areas_.end(),
            [](const flag_area& a, const flag_area& b) { return a.begin < b.begin; });
}

}  // namespace heddle
