#include "models/workloads/collective/golden/partition.hpp"

#include <catch2/catch.hpp>
#include <vector>

TEST_CASE("the first chunks are one element longer", "[tensor]") {
  const std::size_t begins[] = {0, 3, 6, 8};
  const std::size_t counts[] = {3, 3, 2, 2};
  for (std::size_t chunk = 0; chunk < 4; ++chunk) {
    CHECK(heddle::chunk_range(10, 4, chunk).begin == begins[chunk]);
    CHECK(heddle::chunk_range(10, 4, chunk).count == counts[chunk]);
  }
  CHECK(heddle::chunk_range(2, 4, 1).count == 1);
  CHECK(heddle::chunk_range(2, 4, 3).count == 0);
  CHECK(heddle::chunk_range(2, 4, 3).begin == 2);
}

TEST_CASE("chunks cover every element once", "[tensor]") {
  for (const std::size_t ranks : {1, 2, 4, 8, 16}) {
    for (const std::size_t elements : {0, 1, 5, 16, 1000, 1001}) {
      std::vector<int> chunked(elements);
      for (std::size_t rank = 0; rank < ranks; ++rank) {
        const auto chunk = heddle::chunk_range(elements, ranks, rank);
        for (std::size_t i = 0; i < chunk.count; ++i) ++chunked.at(chunk.begin + i);
      }
      CHECK(chunked == std::vector<int>(elements, 1));
    }
  }
}

TEST_CASE("a ring completes the chunk behind a rank's own", "[tensor]") {
  CHECK(heddle::ring_complete_chunk(4, 3) == 0);
}
