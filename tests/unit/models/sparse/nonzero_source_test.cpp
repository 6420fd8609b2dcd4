#include <catch2/catch.hpp>
#include <vector>

#include "models/sparse/csr_matrix.hpp"

namespace heddle {
namespace {

TEST_CASE("every row has one owner, and blocks are equal but for the last ones") {
  const auto rows = GENERATE(range(1, 40));
  const auto nodes = GENERATE(1, 2, 3, 7, 16);
  const row_partition partition(static_cast<std::uint64_t>(rows),
                                static_cast<std::uint32_t>(nodes));
  std::uint64_t next = 0;
  for (std::uint32_t node = 0; node < partition.nodes(); ++node) {
    CHECK(partition.first_row(node) == next);
    CHECK(partition.rows_of(node) <= partition.rows_per_node());
    for (std::uint64_t i = 0; i < partition.rows_of(node); ++i)
      CHECK(partition.owner(next++) == node);
  }
  CHECK(next == partition.rows());
}

// Row r of 5 holds columns r, r + 1, ..., r + r % 3 of 9, each with its position as value.
csr_matrix five_rows() {
  csr_matrix matrix;
  matrix.columns = 9;
  for (column_index row = 0; row < 5; ++row) {
    for (column_index i = 0; i <= row % 3; ++i) {
      matrix.value.push_back(static_cast<double>(matrix.column.size()));
      matrix.column.push_back(row + i);
    }
    matrix.row_begin.push_back(matrix.column.size());
  }
  return matrix;
}

TEST_CASE("nodes read the nonzeros of their rows from any position on") {
  const csr_matrix whole = five_rows();
  const csr_nonzeros source(five_rows(), 2, "five rows");
  REQUIRE(source.nonzeros_of(0) == 6);  // rows 0 to 2
  REQUIRE(source.nonzeros_of(1) == 3);
  CHECK(source.nonzeros() == whole.view().nonzeros());
  CHECK(source.columns().owner(4) == 0);
  CHECK(source.columns().owner(5) == 1);
  CHECK(source.first_of_row(0, 2) == 3);
  CHECK(source.first_of_row(1, 1) == 1);
  CHECK(source.first_of_row(1, 2) == 3);
  for (std::uint64_t first = 0; first < 3; ++first) {
    const std::size_t count = 3 - first;
    std::vector<column_index> columns(count);
    std::vector<double> values(count);
    source.read_columns(1, first, count, columns.data());
    source.read_values(1, first, count, values.data());
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(columns[i] == whole.column[6 + first + i]);
      CHECK(values[i] == static_cast<double>(6 + first + i));
    }
  }
}

TEST_CASE("nodes without rows have no nonzeros, and a pattern has ones") {
  csr_matrix pattern;
  pattern.columns = 3;
  pattern.column = {0, 2};
  pattern.row_begin = {0, 1, 2};
  const csr_nonzeros source(pattern, 4, "pattern");
  CHECK(source.nonzeros_of(1) == 1);
  CHECK(source.nonzeros_of(2) == 0);
  CHECK(source.nonzeros_of(3) == 0);
  CHECK(source.first_of_row(3, 0) == 0);
  double value = 0;
  source.read_values(1, 0, 1, &value);
  CHECK(value == 1.0);
}

}  // namespace
}  // namespace heddle
