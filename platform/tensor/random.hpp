// Deterministic tensor contents for workloads and tests.
//
// Counter-based: element i of a rank depends on (seed, rank, i) alone, so a tensor can be made in
// pieces, in any order, on any machine. It comes from output i of the SplitMix64 generator whose
// state starts at a mixture of seed and rank and, in fill_random, from that of a generator which
// all ranks share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/tensor/dtype.hpp"

namespace heddle {

// Fills data with the elements [offset, offset + elements) of the rank's tensor. Which order a
// reduction adds them in shows in the bits of the sums, of accumulators with fp32 inside, too:
//  - floats, three elements of four: two ranks of a pair, which differs from element to element,
//    have a number of 4 to 8 and its negative, or numbers so small that a sum with the large ones
//    loses some of their bits. What is left of them when the large numbers have cancelled out tells
//    what met first.
//  - other floats: a random sign and fraction, and an exponent that is uniform from -15 to 0. An
//    eighth of them is a multiple of 1/8 in [-1, 1) instead (0 and -1 among them), so that sums
//    meet exact values and ties.
//  - int32: the full range, so that sums wrap.
// Sums over 4096 ranks are finite in fp16. data needs no alignment.
void fill_random(dtype type, void* data, std::size_t elements, std::uint64_t seed,
                 std::uint64_t rank, std::uint64_t offset = 0);

// The same with independent floats that are uniform in [-1, 1), cut to the type toward zero; one in
// sixteen is a multiple of 1/8 instead. What is multiplied and trained on is of this kind: sums are
// of the size of their operands.
void fill_uniform(dtype type, void* data, std::size_t elements, std::uint64_t seed,
                  std::uint64_t rank, std::uint64_t offset = 0);

}  // namespace heddle
