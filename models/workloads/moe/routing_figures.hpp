// What a routing makes of the traffic and of the load of experts.
#pragma once

#include <cstdint>
#include <vector>

#include "models/workloads/moe/expert_routing.hpp"

namespace heddle {

struct routing_figures {
  double distinct_gpus = 0;              // mean remote GPUs of a token: `d` of all laws
  double with_remote = 0;                // share of tokens that leave their GPU at all
  double expert_imbalance = 0;           // tokens of the fullest expert over the mean
  double gpu_imbalance = 0;              // (token, expert) pairs of the fullest GPU over the mean
  std::vector<std::uint32_t> of_expert;  // tokens
};

// Experts that do not exist count for nobody.
routing_figures figures_of(const expert_routing& routing, const moe_shape& shape);

}  // namespace heddle
