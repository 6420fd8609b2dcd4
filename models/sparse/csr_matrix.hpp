// A sparse matrix in memory, by compressed rows (CSR).
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/sparse/nonzero_source.hpp"

namespace heddle {

// Kernels compute in single precision. From the magnitude on which values round to infinity there.
inline constexpr double first_overflow_of_single = 0x1.ffffffp+127;
inline bool fits_single(double value) {
  return std::abs(value) < first_overflow_of_single;  // a NaN does not
}

// Arrays of a matrix that somebody else keeps. Columns within a row ascend strictly; row_begin has
// rows + 1 entries, the last of which is the number of nonzeros.
struct csr_view {
  std::uint64_t rows = 0, columns = 0;
  const std::uint64_t* row_begin = nullptr;
  const column_index* column = nullptr;
  const double* value = nullptr;  // nullptr: every nonzero is 1

  std::uint64_t nonzeros() const { return row_begin[rows]; }
};

struct csr_matrix {
  std::uint64_t columns = 0;
  std::vector<std::uint64_t> row_begin = {0};
  std::vector<column_index> column;
  std::vector<double> value;  // empty: every nonzero is 1

  std::uint64_t rows() const { return row_begin.size() - 1; }
  csr_view view() const {
    return {rows(), columns, row_begin.data(), column.data(),
            value.empty() ? nullptr : value.data()};
  }
};

class csr_nonzeros final : public nonzero_source {
 public:
  // The matrix has at least a row and a column, and the source at least a node.
  csr_nonzeros(csr_matrix matrix, std::uint32_t nodes, std::string name);
  // `keeper` keeps the arrays.
  csr_nonzeros(const csr_view& matrix, std::shared_ptr<const void> keeper, std::uint32_t nodes,
               std::string name);

  std::uint64_t nonzeros_of(std::uint32_t node) const override;
  void read_columns(std::uint32_t node, std::uint64_t first, std::size_t count,
                    column_index* to) const override;
  void read_values(std::uint32_t node, std::uint64_t first, std::size_t count,
                   double* to) const override;
  std::uint64_t first_of_row(std::uint32_t node, std::uint64_t row) const override;
  std::string name() const override { return name_; }

 private:
  csr_nonzeros(const std::shared_ptr<const csr_matrix>& matrix, std::uint32_t nodes,
               std::string name);
  std::uint64_t begin_of(std::uint32_t node) const {
    return matrix_.row_begin[rows().first_row(node)];
  }

  std::shared_ptr<const void> keeper_;
  csr_view matrix_;
  std::string name_;
};

}  // namespace heddle
