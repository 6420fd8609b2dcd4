// How much a slot holds where the netlist leaves it open: a message on a ring, a batch of what a
// mesh passes on from tile to tile.
#pragma once

#include <cstdint>

#include "models/workloads/collective/collective_config.hpp"

namespace heddle {

// Bytes, a multiple of 64, for the algorithm of the job at hand with so many ranks and bytes.
std::uint64_t slot_size(const collective_config& of, std::uint64_t ranks, std::uint64_t bytes);

// Of a ring, and of whatever else cuts a tensor into messages.
std::uint64_t piece_of_ring(std::uint64_t ranks, std::uint64_t bytes);

}  // namespace heddle
