// Run times of collectives on a mesh of tiles by the formulas of collective NoC (4.2, Appendix B),
// in cycles at 1 GHz. `beats` are of 64 B; lines have at least two tiles, in a power of two.
//
// The constants are the authors' own regressions on their RTL simulation, from the scripts that
// they published with it (pulp-platform/picobello, experiments/), where no other source is given.
// The constant part of a sum is a regression on runs that are not published: it is 0 here. The
// formulas know no contention, and those of reductions no distance.
#pragma once

#include <cstdint>

namespace heddle::mesh_laws {

inline constexpr double memory_round_trip = 30;  // alpha: a copy from a memory tile; hardware
inline constexpr double tile_round_trip = 17;    // alpha: a copy between tiles, and per hop
inline constexpr double cycles_per_hop = 2;
inline constexpr double step_of_multicast = 36;  // delta: a barrier, and what goes with it
inline constexpr double step_of_tree = 30;       // delta of tree reductions
inline constexpr double cycles_per_sum = 1.16;   // of a beat, by the cores of a cluster
// alpha of a reduction's copies: those between neighbors; the source states no number of its own.
inline constexpr double neighbor_round_trip = tile_round_trip + cycles_per_hop;

// From a memory tile to the tiles of a line: Eq 4, Eq 2 with its best number of batches, Eq 3.
double multicast_hardware(std::uint64_t tiles, std::uint64_t beats);
double multicast_sequential(std::uint64_t tiles, std::uint64_t beats);
double multicast_tree(std::uint64_t tiles, std::uint64_t beats);
// To several rows: the first row, then all columns from it (Eq 11, 12).
double multicast_sequential(std::uint64_t columns, std::uint64_t rows, std::uint64_t beats);
double multicast_tree(std::uint64_t columns, std::uint64_t rows, std::uint64_t beats);

// From all tiles to one, with the best number of batches: by the form of Eq 5 and 15 that the
// published script has, (steps) (max(copy, sum) + delta) - delta with delta = 4 r + 28, and Eq 14.
// By the routers: the script's alpha + n, twice that for several rows, whose first column adds
// three inputs, two at a time (4.2.3). Its alpha is a regression on runs that are not published;
// here it is that of a copy from a memory tile.
double reduction_hardware(std::uint64_t rows, std::uint64_t beats);
double reduction_sequential(std::uint64_t columns, std::uint64_t rows, std::uint64_t beats);
double reduction_tree(std::uint64_t columns, std::uint64_t rows, std::uint64_t beats);

// Beats of a batch with which these take least, of any number of batches, the last of which may be
// shorter. Several rows (Eq 11): the first row passes it on, then all columns do.
std::uint64_t best_batch_of_multicast(std::uint64_t columns, std::uint64_t rows,
                                      std::uint64_t beats);
std::uint64_t best_batch_of_sequential_reduction(std::uint64_t columns, std::uint64_t rows,
                                                 std::uint64_t beats);
std::uint64_t best_batch_of_tree_reduction(std::uint64_t beats);  // of any size

}  // namespace heddle::mesh_laws
