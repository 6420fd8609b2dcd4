// Blocks of equal size, one a node: of the rows of a matrix, and of the properties that its columns
// ask for (NetSparse 2.1).
//
// The last blocks are shorter, or empty, where the nodes do not divide the rows.
#pragma once

#include <algorithm>
#include <cstdint>

namespace heddle {

// Index of a column in memory. The wire has room for twice as many bits (NetSparse 6.1.1); matrices
// with more columns than 32 bits can number are refused when they are read.
using column_index = std::uint32_t;

class row_partition final {
 public:
  // Both are at least 1.
  row_partition(std::uint64_t rows, std::uint32_t nodes)
      : rows_(rows), nodes_(nodes), per_node_((rows + nodes - 1) / nodes) {}

  std::uint64_t rows() const { return rows_; }
  std::uint32_t nodes() const { return nodes_; }
  std::uint64_t rows_per_node() const { return per_node_; }  // of the first node

  std::uint32_t owner(std::uint64_t row) const {
    return static_cast<std::uint32_t>(row / per_node_);
  }
  std::uint64_t first_row(std::uint32_t node) const { return std::min(rows_, node * per_node_); }
  std::uint64_t rows_of(std::uint32_t node) const { return first_row(node + 1) - first_row(node); }

 private:
  std::uint64_t rows_;
  std::uint32_t nodes_;
  std::uint64_t per_node_;
};

}  // namespace heddle
