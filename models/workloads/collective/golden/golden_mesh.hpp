// Golden results of reductions on a mesh of tiles: rank r is the tile in column r mod columns of
// row r / columns; rows go north, columns east (see golden.hpp).
#pragma once

#include "models/workloads/collective/golden/golden.hpp"

namespace heddle {

// By routers that pass x first: each folds what comes in from the north, east, south, west and from
// its own tile, in that order, and passes it on towards the root.
tensor_bytes golden_mesh_reduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                std::size_t elements, std::size_t columns, std::size_t root);

// Chunk by chunk (partition.hpp), each to the rank of its number: by the routers of each column to
// the rank's row, then by those of the row.
tensor_bytes golden_mesh_reduce_scatter(dtype type, reduce_op op, const rank_inputs& inputs,
                                        std::size_t elements, std::size_t columns);

// Coordinate in a line of the tile that stands at that place as the root sees it: the XOR of the
// two, so that pairs of places are as far apart for any root as for the first tile. In a line that
// is no power of two, so far behind the root, around the end.
std::size_t mesh_coordinate(std::size_t standing, std::size_t root, std::size_t length);

// By pairs of places at the distances 1, 2, 4, ... along the rows, then along the root's column.
tensor_bytes golden_mesh_tree_reduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                     std::size_t elements, std::size_t columns, std::size_t root);

// From the last place of each row to its first, then along the root's column; places as above.
tensor_bytes golden_mesh_line_reduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                     std::size_t elements, std::size_t columns, std::size_t root);

}  // namespace heddle
