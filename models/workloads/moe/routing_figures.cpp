#include "models/workloads/moe/routing_figures.hpp"

#include <algorithm>
#include <numeric>

namespace heddle {
namespace {

double over_mean(const std::vector<std::uint32_t>& counts) {
  const auto sum = std::accumulate(counts.begin(), counts.end(), 0.0);
  if (sum == 0) return 0;
  return *std::max_element(counts.begin(), counts.end()) /
         (sum / static_cast<double>(counts.size()));
}

}  // namespace

routing_figures figures_of(const expert_routing& routing, const moe_shape& shape) {
  routing_figures figures;
  figures.of_expert.resize(shape.experts);
  std::vector<std::uint32_t> of_gpu(shape.gpus);
  constexpr std::uint32_t nobody = UINT32_MAX;
  std::vector<std::uint32_t> latest(shape.gpus, nobody);  // token for which the GPU was counted
  std::uint64_t remote = 0, leaving = 0;
  const std::uint32_t tokens = routing.gpus() * routing.tokens();
  for (std::uint32_t token = 0; token < tokens; ++token) {
    const std::uint32_t home = token / routing.tokens();
    const std::uint64_t before = remote;
    for (const std::uint16_t expert : routing.of(token)) {
      if (expert >= shape.experts) continue;
      const std::uint32_t gpu = expert / shape.experts_per_gpu();
      ++figures.of_expert[expert];
      ++of_gpu[gpu];
      if (gpu == home || latest[gpu] == token) continue;
      latest[gpu] = token;
      ++remote;
    }
    leaving += remote > before ? 1 : 0;
  }
  if (tokens == 0) return figures;
  figures.distinct_gpus = static_cast<double>(remote) / tokens;
  figures.with_remote = static_cast<double>(leaving) / tokens;
  figures.expert_imbalance = over_mean(figures.of_expert);
  figures.gpu_imbalance = over_mean(of_gpu);
  return figures;
}

}  // namespace heddle
