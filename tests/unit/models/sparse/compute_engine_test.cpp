#include "models/sparse/compute_engine.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "models/sparse/csr_matrix.hpp"
#include "models/sparse/software_baselines.hpp"

namespace heddle {
namespace {

csr_nonzeros one_row_each(const std::vector<column_index>& columns, std::uint64_t width) {
  csr_matrix matrix;
  matrix.columns = width;
  for (const column_index each : columns) {
    matrix.column.push_back(each);
    matrix.row_begin.push_back(matrix.column.size());
  }
  return {matrix, 1, "one row each"};
}

TEST_CASE("software that sends everything takes the line rate's time") {
  // arabic at K = 16 and K = 1: NetSparse Table 8 is over these.
  CHECK(suopt_seconds(22'744'080, 128, 64) == Approx(28.88e-3).epsilon(1e-3));
  CHECK(suopt_seconds(22'744'080, 128, 4) == Approx(1.805e-3).epsilon(1e-3));
}

TEST_CASE("software that asks is as slow as its slowest core") {
  matrix_structure structure;
  structure.nodes.resize(2);
  structure.nodes[0].largest_slice = 1000;
  CHECK(saopt_seconds(structure) == std::vector<double>{1000 * 0.74e-6, 0});
}

TEST_CASE("an engine's cache holds what was used last") {
  compute_engine engine{"small", 1e9, 1e9, 8 * 64};  // one set of eight properties
  std::vector<column_index> eight = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
  CHECK(batches_of(one_row_each(eight, 99), 0, 100, 16, engine)[0].misses == 8);
  std::vector<column_index> nine = {0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(batches_of(one_row_each(nine, 99), 0, 100, 16, engine)[0].misses == 18);
  // Renewed by its use, 0 stays when 8 takes the place of 1.
  std::vector<column_index> renewed = {0, 1, 2, 3, 4, 5, 6, 7, 0, 8, 0, 1};
  CHECK(batches_of(one_row_each(renewed, 99), 0, 100, 16, engine)[0].misses == 10);
  // Sixteen properties of four bytes share a line.
  std::vector<column_index> line = {0, 15, 16, 31, 1, 17};
  CHECK(batches_of(one_row_each(line, 99), 0, 100, 1, engine)[0].misses == 2);
}

TEST_CASE("batches cover all nonzeros, and rows that they cut count in both") {
  csr_matrix matrix;
  matrix.columns = 10;
  matrix.column = {0, 1, 2, 3, 4, 5, 6};
  matrix.row_begin = {0, 3, 3, 6, 7};
  const csr_nonzeros source(matrix, 1, "four rows");
  const auto batches = batches_of(source, 0, 2, 16, compute_engines()[0]);
  REQUIRE(batches.size() == 4);
  CHECK(batches[0].rows == 1);  // the first part of row 0
  CHECK(batches[1].rows == 3);  // the rest of it, row 1 without nonzeros, a part of row 2
  CHECK(batches[3].nonzeros == 1);
}

TEST_CASE("a batch takes the longer of its operations and its bytes") {
  const compute_engine engine{"slow", 1000, 1e12, 64};
  CHECK(seconds_of({10, 1, 1}, sparse_kernel::spmm, 16, engine) == Approx(320 / 1000.));
  const compute_engine narrow{"narrow", 1e15, 100, 64};
  CHECK(seconds_of({10, 1, 1}, sparse_kernel::spmm, 16, narrow) == Approx((80 + 64 + 64) / 100.));
  CHECK(seconds_of({10, 1, 1}, sparse_kernel::sddmm, 16, narrow) ==
        Approx((80 + 64 + 64 + 40) / 100.));
}

TEST_CASE("computing overlaps with what is still to come, and never ends before its parts") {
  CHECK(overlapped_end({5, 1}, {1, 2}) == 6);  // the later batch is there first
  CHECK(overlapped_end({1, 1, 1}, {2, 2, 2}) == 7);
  CHECK(overlapped_end({}, {}) == 0);
  std::mt19937_64 random(GENERATE(range(0, 20)));
  std::vector<double> ready(random() % 20 + 1), seconds(ready.size());
  double latest = 0, sum = 0;
  for (std::size_t i = 0; i < ready.size(); ++i) {
    ready[i] = static_cast<double>(random() % 100);
    seconds[i] = static_cast<double>(random() % 10);
    latest = std::max(latest, ready[i] + seconds[i]);
    sum += seconds[i];
  }
  const double end = overlapped_end(ready, seconds);
  CHECK(end >= std::max(latest, sum));
  CHECK(end <= *std::max_element(ready.begin(), ready.end()) + sum);
}

TEST_CASE("engines are those of the source, as far as it prints them") {
  const std::vector<compute_engine>& engines = compute_engines();
  REQUIRE(engines.size() == 3);
  CHECK(engines[0].operations == 4.096e12);
  CHECK(engines[0].memory == 800e9);
  CHECK(engines[0].cache_bytes == 32'768);
  CHECK(engines[1].operations == 6.144e12);
  CHECK(engines[1].memory == 307e9);
  CHECK(engines[1].cache_bytes == 100'663'296);
  CHECK(engines[2].operations == 7.168e12);
  CHECK(engines[2].memory == 800e9);
  CHECK(engines[2].cache_bytes == 117'440'512);
}

}  // namespace
}  // namespace heddle
