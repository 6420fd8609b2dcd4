#include <catch2/catch.hpp>

#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/golden/partition.hpp"
#include "sw/collectives/layout.h"
#include "sw/collectives/partition.h"

TEST_CASE("The firmware cuts vectors as the goldens do") {
  const std::uint32_t ranks = GENERATE(1u, 2u, 3u, 7u, 16u);
  const std::uint64_t elements = GENERATE(1u, 2u, 15u, 16u, 17u, 1000u);
  for (std::uint32_t chunk = 0; chunk < ranks; ++chunk) {
    const range ours = chunk_of(elements, ranks, chunk);
    const heddle::element_range theirs = heddle::chunk_range(elements, ranks, chunk);
    CHECK(ours.begin == theirs.begin);
    CHECK(ours.count == theirs.count);
  }
}

TEST_CASE("Pieces cover a range without gap or overlap") {
  const range whole{5, GENERATE(0u, 1u, 8u, 9u)};
  const std::uint64_t piece_elements = 4;
  std::uint64_t next = whole.begin;
  for (std::uint64_t i = 0; i < 4; ++i) {
    const range piece = piece_of(whole, piece_elements, i);
    CHECK(piece.begin == next);
    CHECK(piece.count <= piece_elements);
    next += piece.count;
  }
  CHECK(next == whole.begin + whole.count);
}

TEST_CASE("Scratch memory is what the algorithms use, in whole lines") {
  boot_job job{};
  job.elements = 1001;
  job.element_bytes = 2;
  job.slots = 8;
  job.slot_bytes = 256;
  const auto scratch_by = [&](boot_algorithm number, std::uint32_t ranks) {
    return heddle::algorithm_registry::instance().of(number).scratch(job, ranks);
  };
  CHECK(scratch_by(BOOT_RING, 8) == 2048);
  CHECK(scratch_by(BOOT_DIRECT, 8) == 1792);            // seven chunks of up to 126 elements
  CHECK(scratch_by(BOOT_HALVING_DOUBLING, 8) == 1792);  // of up to 501, 251 and 126 elements
  CHECK(scratch_by(BOOT_HALVING_DOUBLING, 1) == 0);
  CHECK(scratch_by(BOOT_HALVING_DOUBLING, 3) == 3392);  // all of them, then up to 2 x 334
  CHECK(scratch_by(BOOT_DOUBLE_TREE, 8) == 2048);       // two halves of up to 501
  CHECK(flag_area_bytes(8) == 1084);
}
