// The descriptor by which a token hub carries out a layer as a schedule has it.
#pragma once

#include <cstdint>

#include "models/workloads/moe/moe_config.hpp"
#include "models/workloads/moe/moe_layout.hpp"
#include "sw/drivers/token_layer.h"

namespace heddle {

// `shape`: its tokens are those of all parts, which `config` has not multiplied out. The rank and
// addresses are left out.
token_layer moe_descriptor(const moe_config& config, const moe_schedule& schedule,
                           const moe_shape& shape);

// Where its tables and vectors lie in the memory of a GPU, from `window` on.
void place_moe_layer(token_layer& layer, const moe_layout& layout, std::uint64_t window);

}  // namespace heddle
