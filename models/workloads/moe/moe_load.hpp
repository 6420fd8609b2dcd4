// What each GPU of a layer has to move and to multiply, counted from the routing of its tokens.
#pragma once

#include <cstdint>
#include <vector>

#include "models/workloads/moe/expert_routing.hpp"
#include "models/workloads/moe/moe_schedule.hpp"
#include "models/workloads/moe/moe_shape.hpp"

namespace heddle {

// Vectors on the links of one GPU, and the work of its experts.
struct moe_load {
  double sent = 0;      // vectors of own tokens that leave to experts elsewhere
  double unasked = 0;   // and those that leave although no expert elsewhere asks for them
  double wanted = 0;    // vectors of other GPUs' tokens that arrive for own experts
  double unwanted = 0;  // and those that arrive although no own expert asks for them
  double returned = 0;  // results for other GPUs' tokens that leave
  double summed = 0;    // results of own tokens that arrive
  double products = 0;  // tokens of all GPUs times own experts that multiply them
};

struct moe_loads {
  std::vector<std::vector<moe_load>> of_chunk;  // by GPU, then by chunk of the sources' tokens
  std::vector<std::vector<bool>> serves;        // [h][g]: an expert on h has a token of GPU g

  std::uint32_t gpus() const { return static_cast<std::uint32_t>(of_chunk.size()); }
  moe_load of(std::uint32_t gpu) const;  // of all chunks
};

// `chunks` divides the tokens of a GPU evenly.
moe_loads loads_of(const expert_routing& routing, const moe_shape& shape, moe_traffic traffic,
                   std::uint32_t chunks);

}  // namespace heddle
