// The different remote columns that one node of a stand-in asks for, in the order in which its rows
// come to them.
//
// They come in runs of consecutive columns of one owner, of geometric length. A run continues the
// node's block of rows at one of its ends (band), or is one that any node may choose (hub, by
// Zipf's law) or one that the nodes of the same group choose from (region). Whoever takes a run
// takes all of it, so that nodes share properties.
#pragma once

#include <cstdint>
#include <vector>

#include "models/sparse/row_partition.hpp"
#include "models/sparse/standin_description.hpp"

namespace heddle {

inline constexpr std::uint32_t standin_group = 16;  // nodes of a rack (NetSparse 3)

struct standin_counts {
  std::uint64_t columns = 0;  // of the node
  double mean_columns = 0;    // of all nodes
};

// `columns` divides those of the matrix among the nodes. Fewer come back where the matrix has no
// more remote ones.
std::vector<column_index> standin_columns(const standin_structure& structure,
                                          const row_partition& columns, std::uint32_t node,
                                          const standin_counts& counts);

}  // namespace heddle
