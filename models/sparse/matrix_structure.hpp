// What a partition of a matrix by equal rows looks like from the network: the figures of NetSparse
// Tables 1 and 4 and section 3.
#pragma once

#include <cstdint>
#include <vector>

#include "models/sparse/nonzero_source.hpp"

namespace heddle {

struct node_structure {
  std::uint64_t nonzeros = 0;
  std::uint64_t remote = 0;          // of them, with a column of another node
  std::uint64_t remote_columns = 0;  // different ones
  std::uint64_t slice_columns = 0;   // the same, summed over slices of the node's rows
  std::uint64_t largest_slice = 0;   // the largest of these
  std::uint64_t windows = 0;         // of 64 consecutive remote nonzeros
  std::uint64_t window_owners = 0;   // different owners, summed over windows
};

struct matrix_structure {
  std::vector<node_structure> nodes;
  std::uint64_t columns = 0;  // each has a property
  std::uint64_t nonzeros = 0, remote = 0, remote_columns = 0, slice_columns = 0;
  std::uint64_t shared_columns = 0;  // remote columns that another node of the group asks for, too

  // Useless properties for each useful one, if all are sent; 0 where no node needs any.
  double unaware() const;
  double aware() const;         // the same if each remote nonzero asks
  double destinations() const;  // owners in a window, mean over nodes
  double remote_share() const;  // of nonzeros
  double slices() const;        // slice_columns over remote_columns
  double sharing() const;
  double tail() const;       // remote columns of the node that has most, over the mean
  double imbalance() const;  // nonzeros of the node that has most, over the mean
};

// Passes over all nonzeros. A group has 16 nodes. Memory: two bytes a column.
// `slices`, at most 255: the rows of a node are divided among so many cores, each of which asks for
// itself (SAOpt).
matrix_structure structure_of(const nonzero_source& source, std::uint32_t slices = 64);

}  // namespace heddle
