// A sparse matrix in memory, by compressed rows (CSR).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/sparse/nonzero_source.hpp"

namespace heddle {

// Columns within a row ascend strictly. All of it fits: row_begin has rows + 1 entries, the last of
// which is the size of the others.
struct csr_matrix {
  std::uint64_t columns = 0;
  std::vector<std::uint64_t> row_begin = {0};
  std::vector<column_index> column;
  std::vector<double> value;  // empty: every nonzero is 1

  std::uint64_t rows() const { return row_begin.size() - 1; }
  std::uint64_t nonzeros() const { return column.size(); }
};

class csr_nonzeros final : public nonzero_source {
 public:
  // The matrix has at least a row and a column, and the source at least a node.
  csr_nonzeros(csr_matrix matrix, std::uint32_t nodes, std::string name);

  std::uint64_t nonzeros_of(std::uint32_t node) const override;
  void read_columns(std::uint32_t node, std::uint64_t first, std::size_t count,
                    column_index* to) const override;
  void read_values(std::uint32_t node, std::uint64_t first, std::size_t count,
                   double* to) const override;
  std::uint64_t first_of_row(std::uint32_t node, std::uint64_t row) const override;
  std::string name() const override { return name_; }

 private:
  std::uint64_t begin_of(std::uint32_t node) const {
    return matrix_.row_begin[rows().first_row(node)];
  }

  csr_matrix matrix_;
  std::string name_;
};

}  // namespace heddle
