// Deterministic tensor contents for workloads and tests.
//
// Counter-based: element i of a rank depends on (seed, rank, i) alone, so a tensor can be made in
// pieces, in any order, on any machine. Element i is output i of the SplitMix64 generator whose
// state starts at a mixture of seed and rank.
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/tensor/dtype.hpp"

namespace heddle {

// Fills data with the elements [offset, offset + elements) of the rank's tensor.
//  - floats: uniform in [-1, 1), cut to the type toward zero; one in sixteen is a multiple of 1/8
//    instead (0 and -1 among them), so that sums meet exact values and ties too.
//  - int32: the full range, so that sums wrap.
// data needs no alignment.
void fill_random(dtype type, void* data, std::size_t elements, std::uint64_t seed,
                 std::uint64_t rank, std::uint64_t offset = 0);

}  // namespace heddle
