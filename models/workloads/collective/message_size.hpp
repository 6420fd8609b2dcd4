// How much a message holds where the netlist leaves it open.
#pragma once

#include "models/workloads/collective/algorithm.hpp"

namespace heddle {

// Of a ring, and of whatever else cuts a tensor into messages: bytes, a multiple of 64.
std::uint64_t piece_of_ring(std::uint64_t ranks, std::uint64_t bytes);

// Of the algorithm.
std::uint64_t message_size(const collective_algorithm& algorithm, const collective_case& job,
                           const link_directory& net);

}  // namespace heddle
