// What every collective must leave behind, bit for bit: the same arithmetic in the same order as
// the algorithm, computed without the simulator.
//
// Only the order in which contributions meet matters, not which operand is the destination: the
// operations commute bit-exactly (see reduce.hpp). An allreduce leaves the same tensor at every
// rank, so its golden is one tensor.
//
// inputs[r] is the tensor of rank r, at any alignment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/workloads/collective/golden/partition.hpp"
#include "platform/tensor/dtype.hpp"
#include "platform/tensor/rank_tensors.hpp"
#include "platform/tensor/reduce.hpp"

namespace heddle {

// In step s of N-1, rank r sends chunk (r - s) mod N to rank r+1, which computes own = own OP
// received. So chunk c folds the ranks c, c+1, c+2, ... mod N.
tensor_bytes golden_ring_allreduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                   std::size_t elements);

// Rank c owns chunk c and folds its own contribution, then those of c+1, c+2, ... mod N. That is
// the ring's order too, so both have the same bits.
tensor_bytes golden_direct_allreduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                     std::size_t elements);

// At the distances N/2, N/4, ... 1 every rank computes own = own OP received for the part of its
// range that it keeps. With P ranks more than a power of two, of the first 2 P each even one has
// been added to the odd one behind it before.
tensor_bytes golden_halving_doubling_allreduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                               std::size_t elements);

// All of the tensor from rank to rank around the ring, up to the root: the order is that of the
// ranks behind it, root + 1, root + 2, ... mod N.
tensor_bytes golden_ring_reduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                std::size_t elements, std::size_t root);

// Each half of the tensor up a binary tree (sw/collectives/double_tree.h): a rank adds what its
// first child sends to its own, then what the second one sends.
tensor_bytes golden_double_tree_reduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                       std::size_t elements, std::size_t root);

// What rings of a torus leave (sw/collectives/torus.h): each stripe of the tensor is added along
// one dimension after the other, a part of it from the rank behind its owner around the ring to the
// owner.
tensor_bytes golden_torus_allreduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                    std::size_t elements, const std::vector<std::uint64_t>& sides,
                                    std::size_t stripes);

// A tree accumulator in the network: widened to fp32, neighbors in pairs, rounded once (see
// accumulate.hpp; this is computed without it). nullptr is an absent leaf. Types of up to 32 bits.
tensor_bytes golden_tree_allreduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                   std::size_t elements);

tensor_bytes golden_broadcast(dtype type, const rank_inputs& inputs, std::size_t elements,
                              std::size_t root);

// Chunk `rank` of every rank, in their order; elements must be a multiple of the ranks.
tensor_bytes golden_alltoall(dtype type, const rank_inputs& inputs, std::size_t elements,
                             std::size_t rank);

}  // namespace heddle
