// A recorded routing: a NumPy file.
#pragma once

#include <filesystem>

#include "models/workloads/moe/expert_routing.hpp"

namespace heddle {

// Of '<i2' with shape [gpus, tokens, topk]; -1 stands for no expert. Throws user_error, also where
// a token is for an expert that does not exist, or for one twice.
expert_routing read_routing(const std::filesystem::path& path, const moe_shape& shape);

}  // namespace heddle
