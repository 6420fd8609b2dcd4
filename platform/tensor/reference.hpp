// The sum in float64: what a reduction would be without the rounding of its type.
#pragma once

#include <cstddef>
#include <vector>

#include "platform/tensor/dtype.hpp"
#include "platform/tensor/rank_tensors.hpp"

namespace heddle {

// Adds the ranks in order 0, 1, 2, ... For int32 the exact sum modulo 2^32, as a signed number.
std::vector<double> float64_sum(dtype type, const rank_inputs& inputs, std::size_t elements);
// The same of `count` elements from `begin` on.
void float64_sum(dtype type, const rank_inputs& inputs, std::size_t begin, std::size_t count,
                 double* sum);

}  // namespace heddle
