#include "models/sparse/kernel_times.hpp"

#include <catch2/catch.hpp>

#include "models/sparse/csr_matrix.hpp"
#include "models/sparse/kernel_result.hpp"

namespace heddle {
namespace {

TEST_CASE("a kernel ends when the last node has computed on its last batch") {
  const batch_seconds ready = {{1, 4}, {6}}, compute = {{2, 2}, {1}};
  const kernel_times times = kernel_times_of(ready, compute, 10, {});
  CHECK(times.end_to_end == 7);
  CHECK(times.tail == 1);
  CHECK(times.tail_gathered == 6);
  CHECK(times.compute == 4);
  CHECK(times.one_node == 5);
  CHECK(times.suopt == 10);
  CHECK(times.saopt == 0);
  CHECK(times.speed_up() == Approx(5. / 7));
}

TEST_CASE("imbalance is the last node's end over the mean of those that gather") {
  CHECK(gathering_imbalance({{1, 2}, {}, {6}}) == Approx(1.5));
  CHECK(gathering_imbalance({{3}, {3}}) == 1);
  CHECK(gathering_imbalance({{}, {}}) == 1);
}

TEST_CASE("software cannot end before the computation") {
  const kernel_times times = kernel_times_of({{0}, {0}}, {{3}, {5}}, 1, {9, 2});
  CHECK(times.suopt == 5);
  CHECK(times.saopt == 9);
}

// Column 1 twice, in two rows of one node; K = 2.
csr_nonzeros two_rows() {
  csr_matrix matrix;
  matrix.columns = 2;
  matrix.row_begin = {0, 2, 3};
  matrix.column = {0, 1, 1};
  return {matrix, 1, "two rows"};
}

TEST_CASE("a kernel is right when its properties are, to the last bit") {
  const csr_nonzeros matrix = two_rows();
  const std::vector<float> owners = {1, 2, 3, 4};
  const std::size_t wrong = GENERATE(0, 1, 2, 3, 4);
  const sparse_kernel kernel = GENERATE(sparse_kernel::spmm, sparse_kernel::sddmm);
  std::vector<float> arrived = owners;
  if (wrong < arrived.size()) arrived[wrong] += 0x1p-20F;
  const auto reader = [](const std::vector<float>& of) {
    return [&of](std::uint64_t index) { return of.data() + 2 * index; };
  };
  const std::string mistake =
      kernel_mistake(matrix, 0, kernel, 2, {reader(arrived), reader(owners), reader(owners)});
  CHECK(mistake.empty() == (wrong == owners.size()));
  if (wrong == 0 && kernel == sparse_kernel::spmm)
    CHECK(mistake == "result 0 is 4.000001, the golden result 4");
}

}  // namespace
}  // namespace heddle
