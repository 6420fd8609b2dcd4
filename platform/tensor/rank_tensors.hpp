// Tensors of several ranks as bytes.
#pragma once

#include <cstddef>
#include <vector>

namespace heddle {

using rank_inputs = std::vector<const std::byte*>;  // the tensor of each rank, at any alignment
using tensor_bytes = std::vector<std::byte>;

}  // namespace heddle
