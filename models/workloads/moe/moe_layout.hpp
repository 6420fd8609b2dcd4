// Where the tables and vectors of a layer lie in the memory of each GPU, as offsets from its
// window.
#pragma once

#include <cstdint>

#include "models/workloads/moe/moe_shape.hpp"
#include "sw/drivers/token_layer.h"

namespace heddle {

struct moe_layout {
  static constexpr std::uint32_t command_entries = 64;
  std::uint64_t lists = 0, counts = 0, gates = 0, weights = 0;
  std::uint64_t inputs = 0, results = 0, experts_in = 0, experts_out = 0, gathered = 0,
                list_counts = 0, commands = 0;
  std::uint64_t end = 0;
};

// `places`: of the blocks of own experts, at most, of all GPUs.
moe_layout moe_layout_of(const moe_shape& shape, std::uint32_t chunks, std::uint64_t places,
                         std::uint64_t first);

}  // namespace heddle
