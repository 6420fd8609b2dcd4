// A sparse matrix, divided by rows among nodes, as each node reads it: the columns of its nonzeros,
// row after row, from any position on. Whether they are stored or computed is up to the source.
//
// Positions count the nonzeros of a node from 0; rows of a node count from its first row. All
// functions may be called at any time, in any order; none changes anything that a caller can see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "models/sparse/row_partition.hpp"

namespace heddle {

class nonzero_source {
 public:
  virtual ~nonzero_source() = default;

  // Of the rows, and of the columns with their properties. The same for a square matrix.
  const row_partition& rows() const { return rows_; }
  const row_partition& columns() const { return columns_; }
  std::uint32_t nodes() const { return rows_.nodes(); }
  std::uint64_t nonzeros() const;  // of all nodes

  virtual std::uint64_t nonzeros_of(std::uint32_t node) const = 0;
  // The columns of nonzeros [first, first + count) of the node, which must exist. Columns within a
  // row need not be sorted.
  virtual void read_columns(std::uint32_t node, std::uint64_t first, std::size_t count,
                            column_index* to) const = 0;
  // Their values.
  virtual void read_values(std::uint32_t node, std::uint64_t first, std::size_t count,
                           double* to) const = 0;
  // Position of the first nonzero of a row; that of row rows_of(node) is nonzeros_of(node).
  virtual std::uint64_t first_of_row(std::uint32_t node, std::uint64_t row) const = 0;

  // For tables: "arabic stand-in, scale 1/8", "bcsstk01.mtx".
  virtual std::string name() const = 0;
  // Nonzeros of a command to a gather unit where nobody says otherwise (NetSparse 8.2).
  virtual std::uint32_t batch() const { return 32768; }

 protected:
  nonzero_source(row_partition rows, row_partition columns) : rows_(rows), columns_(columns) {}

 private:
  row_partition rows_, columns_;
};

}  // namespace heddle
