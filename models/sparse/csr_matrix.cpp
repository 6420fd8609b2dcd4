#include "models/sparse/csr_matrix.hpp"

#include <algorithm>
#include <utility>

namespace heddle {

csr_nonzeros::csr_nonzeros(const csr_view& matrix, std::shared_ptr<const void> keeper,
                           std::uint32_t nodes, std::string name)
    : nonzero_source({matrix.rows, nodes}, {matrix.columns, nodes}),
      keeper_(std::move(keeper)),
      matrix_(matrix),
      name_(std::move(name)) {}

csr_nonzeros::csr_nonzeros(const std::shared_ptr<const csr_matrix>& matrix, std::uint32_t nodes,
                           std::string name)
    : csr_nonzeros(matrix->view(), matrix, nodes, std::move(name)) {}

csr_nonzeros::csr_nonzeros(csr_matrix matrix, std::uint32_t nodes, std::string name)
    : csr_nonzeros(std::make_shared<const csr_matrix>(std::move(matrix)), nodes, std::move(name)) {}

std::uint64_t csr_nonzeros::nonzeros_of(std::uint32_t node) const {
  return begin_of(node + 1) - begin_of(node);
}

void csr_nonzeros::read_columns(std::uint32_t node, std::uint64_t first, std::size_t count,
                                column_index* to) const {
  std::copy_n(matrix_.column + begin_of(node) + first, count, to);
}

void csr_nonzeros::read_values(std::uint32_t node, std::uint64_t first, std::size_t count,
                               double* to) const {
  if (matrix_.value == nullptr)
    std::fill_n(to, count, 1.0);
  else
    std::copy_n(matrix_.value + begin_of(node) + first, count, to);
}

std::uint64_t csr_nonzeros::first_of_row(std::uint32_t node, std::uint64_t row) const {
  return matrix_.row_begin[rows().first_row(node) + row] - begin_of(node);
}

}  // namespace heddle
