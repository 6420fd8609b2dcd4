// What crosses the links of ranks that exchange with partners at half the ranks' distance, a
// quarter, ... (sw/collectives/fold.h: beyond a power of two, some ranks join a neighbor).
#pragma once

#include <vector>

#include "models/workloads/collective/algorithm.hpp"

namespace heddle {

// Halves, quarters, ... of the tensor: of a reduce-scatter, an all-gather, or both in turn.
wire_load load_of_halving(const collective_case& of, std::uint64_t place);
// Whole tensors at every distance.
wire_load load_of_doubling(const collective_case& of, std::uint64_t place);

// The same, round by round.
std::vector<message_round> rounds_of_halving(const collective_case& of);
std::vector<message_round> rounds_of_doubling(const collective_case& of);

}  // namespace heddle
