#include "models/workloads/moe/moe_load.hpp"

#include <algorithm>

namespace heddle {
namespace {

// Adds one token of GPU `home`, which has experts on `targets`, each named once.
void add_token(moe_loads& loads, std::uint32_t home, std::uint32_t chunk,
               const std::vector<std::uint32_t>& targets, moe_traffic traffic) {
  moe_load& own = loads.of_chunk[home][chunk];
  const bool goes_to_all = traffic == moe_traffic::everybody;
  double remote = 0;
  for (const std::uint32_t gpu : targets) {
    loads.serves[gpu][home] = true;
    if (gpu == home) continue;
    ++remote;
    ++loads.of_chunk[gpu][chunk].wanted;
    if (!goes_to_all) ++loads.of_chunk[gpu][chunk].returned;
  }
  if (traffic == moe_traffic::copies) {
    own.sent += remote;
    own.summed += remote;
    return;
  }
  if (!goes_to_all && remote == 0) return;
  ++(remote > 0 ? own.sent : own.unasked);
  ++own.summed;
  if (!goes_to_all) return;
  for (std::uint32_t gpu = 0; gpu < loads.gpus(); ++gpu) {
    if (gpu == home) continue;
    const bool is_target = std::find(targets.begin(), targets.end(), gpu) != targets.end();
    if (!is_target) ++loads.of_chunk[gpu][chunk].unwanted;
    ++loads.of_chunk[gpu][chunk].returned;
  }
}

}  // namespace

moe_load moe_loads::of(std::uint32_t gpu) const {
  moe_load all;
  for (const moe_load& each : of_chunk[gpu]) {
    all.sent += each.sent;
    all.unasked += each.unasked;
    all.wanted += each.wanted;
    all.unwanted += each.unwanted;
    all.returned += each.returned;
    all.summed += each.summed;
    all.products += each.products;
  }
  return all;
}

moe_loads loads_of(const expert_routing& routing, const moe_shape& shape, moe_traffic traffic,
                   std::uint32_t chunks) {
  moe_loads loads;
  loads.of_chunk.assign(shape.gpus, std::vector<moe_load>(chunks));
  loads.serves.assign(shape.gpus, std::vector<bool>(shape.gpus));
  std::vector<std::uint32_t> targets;
  for (std::uint32_t token = 0; token < routing.gpus() * routing.tokens(); ++token) {
    const std::uint32_t home = token / routing.tokens();
    const std::uint32_t chunk = token % routing.tokens() / (routing.tokens() / chunks);
    targets.clear();
    for (const std::uint16_t expert : routing.of(token)) {
      const std::uint32_t gpu = expert / shape.experts_per_gpu();
      ++loads.of_chunk[gpu][chunk].products;
      if (std::find(targets.begin(), targets.end(), gpu) == targets.end()) targets.push_back(gpu);
    }
    add_token(loads, home, chunk, targets, traffic);
  }
  return loads;
}

}  // namespace heddle
