#include "models/workloads/moe/expert_routing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/workloads/moe/draw_without_repeating.hpp"
#include "platform/random/random_stream.hpp"

namespace heddle {
namespace {

// Box and Muller.
double standard_normal(random_stream& random) {
  constexpr double full_turn = 6.283185307179586;
  const double radius = std::sqrt(-2 * std::log(1 - random.fraction()));
  return radius * std::cos(full_turn * random.fraction());
}

}  // namespace

std::vector<double> expert_weights(const routing_distribution& distribution, std::uint32_t experts,
                                   std::uint64_t seed) {
  random_stream random(seed, "moe.expert_weights");
  std::vector<double> weights(experts);
  if (distribution.of == routing_distribution::kind::normal) {
    for (double& each : weights)
      each = std::max(0.0, 1 + distribution.spread * standard_normal(random));
    return weights;
  }
  std::vector<std::uint32_t> ranks(experts);
  std::iota(ranks.begin(), ranks.end(), 1);
  for (std::uint32_t i = experts; i > 1; --i) std::swap(ranks[i - 1], ranks[random.below(i)]);
  for (std::uint32_t i = 0; i < experts; ++i) weights[i] = std::pow(ranks[i], -distribution.spread);
  return weights;
}

expert_routing draw_routing(const moe_shape& shape, const std::vector<double>& weights,
                            std::uint64_t seed) {
  expert_routing routing(shape.gpus, shape.tokens);
  random_stream random(seed, "moe.routing");
  draw_without_repeating draw(weights);
  std::vector<std::uint16_t> drawn;
  for (std::uint64_t token = 0; token < std::uint64_t{shape.gpus} * shape.tokens; ++token) {
    drawn.clear();
    while (drawn.size() < shape.topk) drawn.push_back(draw.next(random));
    draw.forget(drawn);
    std::sort(drawn.begin(), drawn.end());
    routing.add(drawn);
  }
  return routing;
}

}  // namespace heddle
