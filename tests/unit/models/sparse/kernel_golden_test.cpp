#include "models/sparse/kernel_golden.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "models/sparse/csr_matrix.hpp"
#include "models/sparse/kernel_result.hpp"

namespace heddle {
namespace {

// Node 0 has rows 0 and 1: 2 at column 0 and 3 at column 2, then 4 at column 1.
csr_nonzeros small_matrix(std::uint32_t nodes) {
  csr_matrix matrix;
  matrix.columns = 3;
  matrix.row_begin = {0, 2, 3, 3};
  matrix.column = {0, 2, 1};
  matrix.value = {2, 3, 4};
  return {matrix, nodes, "small"};
}

struct dense {
  std::uint32_t elements;
  std::vector<float> data;
  property_reader reader() const {
    return [this](std::uint64_t index) { return data.data() + index * elements; };
  }
};

TEST_CASE("kernels compute what their definitions say") {
  const csr_nonzeros matrix = small_matrix(1);
  const dense b{2, {1, 10, 2, 20, 3, 30}}, x{2, {1, 1, 0, 1, 5, 5}};
  const kernel_operands of{&matrix, 2, b.reader(), x.reader()};
  CHECK(kernel_in_order(of, sparse_kernel::spmm, 0) ==
        std::vector<float>{2 + 9, 20 + 90, 8, 80, 0, 0});
  CHECK(kernel_in_order(of, sparse_kernel::sddmm, 0) == std::vector<float>{22, 99, 80});
  CHECK(kernel_in_double(of, sparse_kernel::sddmm, 0) == std::vector<double>{22, 99, 80});
  const dense vector{1, {1, 2, 3}};
  CHECK(kernel_in_order({&matrix, 1, vector.reader(), {}}, sparse_kernel::spmv, 0) ==
        std::vector<float>{11, 8, 0});
}

TEST_CASE("sums go from the first nonzero of a row to its last, fused") {
  csr_matrix matrix;
  matrix.columns = 3;
  matrix.row_begin = {0, 3};
  matrix.column = {0, 1, 2};
  matrix.value = {1, 1, 1};
  const csr_nonzeros source(matrix, 1, "three in a row");
  // In another order 0x1p24 + 1 + 1 would not lose both ones.
  const dense b{1, {0x1p24F, 1, 1}};
  const kernel_operands of{&source, 1, b.reader(), {}};
  CHECK(kernel_in_order(of, sparse_kernel::spmv, 0)[0] == 0x1p24F);
  CHECK(kernel_in_double(of, sparse_kernel::spmv, 0)[0] == 0x1p24 + 2);
}

TEST_CASE("sums that overflow single precision have no bound, others have one") {
  csr_matrix matrix;
  matrix.columns = 2;
  matrix.row_begin = {0, 2, 4};
  matrix.column = {0, 1, 0, 1};
  matrix.value = {3e38, 2e38, 3e38, 1e37};
  const csr_nonzeros source(matrix, 1, "large values");
  const dense b{1, {1, 1}};
  const kernel_operands of{&source, 1, b.reader(), {}};
  const auto sums = kernel_in_order(of, sparse_kernel::spmv, 0);
  const auto bound = kernel_error_bound(of, sparse_kernel::spmv, 0);
  CHECK(std::isinf(sums[0]));
  CHECK(std::isinf(bound[0]));
  CHECK(std::isfinite(sums[1]));
  CHECK(bound[1] < 1e33);
  CHECK(kernel_mistake(source, 0, sparse_kernel::spmv, 1, {b.reader(), b.reader(), {}}).empty());
}

TEST_CASE("single precision stays within its bound, whatever the matrix") {
  std::mt19937_64 random(GENERATE(range(0, 30)));
  csr_matrix matrix;
  matrix.columns = random() % 30 + 1;
  const auto number = [&] { return static_cast<float>(random() % 2000) / 1000 - 1; };
  for (std::uint64_t row = random() % 20 + 1; row > 0; --row) {
    for (column_index column = 0; column < matrix.columns; ++column)
      if (random() % 3 == 0) {
        matrix.column.push_back(column);
        matrix.value.push_back(number());
      }
    matrix.row_begin.push_back(matrix.column.size());
  }
  const auto elements = static_cast<std::uint32_t>(random() % 20 + 1);
  dense b{elements, {}}, x{elements, {}};
  for (std::uint64_t i = 0; i < matrix.columns * elements; ++i) b.data.push_back(number());
  for (std::uint64_t i = 0; i < matrix.rows() * elements; ++i) x.data.push_back(number());
  const auto nodes = static_cast<std::uint32_t>(random() % 4 + 1);
  const csr_nonzeros source(matrix, nodes, "random");
  const csr_nonzeros whole(matrix, 1, "random");
  for (const sparse_kernel kernel : {sparse_kernel::spmm, sparse_kernel::sddmm}) {
    std::vector<float> joined;
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const kernel_operands of{&source, elements, b.reader(), x.reader()};
      const auto ours = kernel_in_order(of, kernel, node);
      const auto exact = kernel_in_double(of, kernel, node);
      const auto bound = kernel_error_bound(of, kernel, node);
      REQUIRE(ours.size() == exact.size());
      REQUIRE(ours.size() == bound.size());
      for (std::size_t i = 0; i < ours.size(); ++i)
        CHECK(std::abs(static_cast<double>(ours[i]) - exact[i]) <= bound[i]);
      joined.insert(joined.end(), ours.begin(), ours.end());
    }
    // The partition changes nothing.
    CHECK(joined == kernel_in_order({&whole, elements, b.reader(), x.reader()}, kernel, 0));
  }
}

}  // namespace
}  // namespace heddle
