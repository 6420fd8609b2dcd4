#include <catch2/catch.hpp>
#include <sstream>

#include "models/workloads/collective/algorithm.hpp"
#include "sw/collectives/torus.h"
#include "tests/firmware/workload.hpp"

using namespace heddle;
using namespace heddle::test;

namespace {

std::string describe(const cluster_options& options, const std::vector<workload>& works) {
  std::ostringstream text;
  text << options.ranks << " ranks, " << options.channels << " channels, rings of "
       << options.ring_entries;
  for (const workload& each : works) text << "\n  " << each;
  return text.str();
}

}  // namespace

TEST_CASE("Any jobs in any order leave what their goldens say") {
  const auto seed = static_cast<std::uint64_t>(GENERATE(range(0, 400)));
  std::mt19937_64 random(seed);
  cluster_options options;
  options.ranks = static_cast<std::uint32_t>(1 + random() % 16);
  options.channels = static_cast<std::uint32_t>(1 + random() % 4);
  options.ring_entries = static_cast<std::uint32_t>(4 + random() % 13);
  std::vector<workload> works(1 + random() % 4);
  for (workload& each : works) each = random_workload(random, options.ranks);
  INFO("seed " << seed << ": " << describe(options, works));
  const std::string failure = run_collectives(options, works, seed);
  INFO(failure);
  REQUIRE(failure.empty());
}

TEST_CASE("Chunks may be empty, single or uneven at any number of ranks") {
  cluster_options options;
  options.ranks = GENERATE(1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 12U, 15U, 16U);
  const auto collective =
      GENERATE(BOOT_ALLREDUCE, BOOT_REDUCE_SCATTER, BOOT_ALLGATHER, BOOT_BROADCAST, BOOT_REDUCE);
  const auto algorithm = GENERATE(BOOT_RING, BOOT_DIRECT, BOOT_HALVING_DOUBLING, BOOT_NVLS,
                                  BOOT_RECURSIVE_DOUBLING, BOOT_DOUBLE_TREE);
  const auto flags = GENERATE(UINT32_C(0), BOOT_JOB_CHAINED, BOOT_JOB_CHAINED | BOOT_JOB_ORDERED);
  const collective_algorithm& by = algorithm_registry::instance().of(algorithm);
  if (!by.does(collective) || (flags != 0 && !by.chains(collective))) return;
  std::vector<workload> works;
  for (const std::uint64_t elements :
       {UINT64_C(1), UINT64_C(2), options.ranks - UINT64_C(1), UINT64_C(1) * options.ranks,
        options.ranks + UINT64_C(1), options.ranks * UINT64_C(33) - 1}) {
    if (elements == 0) continue;
    workload work;
    work.collective = collective;
    work.algorithm = algorithm;
    work.flags = flags;
    work.root = options.ranks / 2;
    work.elements = elements;
    works.push_back(work);
  }
  INFO(describe(options, works));
  const std::string failure = run_collectives(options, works, options.ranks);
  INFO(failure);
  REQUIRE(failure.empty());
}

TEST_CASE("Every type and operator is reduced as its golden says") {
  cluster_options options;
  options.ranks = 4;
  workload work;
  work.type = GENERATE(BOOT_FP16, BOOT_BF16, BOOT_FP32, BOOT_INT32);
  work.op = GENERATE(BOOT_SUM, BOOT_MIN, BOOT_MAX, BOOT_XOR);
  work.algorithm = GENERATE(BOOT_RING, BOOT_DIRECT, BOOT_HALVING_DOUBLING, BOOT_NVLS,
                            BOOT_RECURSIVE_DOUBLING, BOOT_DOUBLE_TREE);
  const bool has_bits = work.type == BOOT_INT32 && work.algorithm != BOOT_NVLS;
  if (work.op == BOOT_XOR && !has_bits) return;
  work.flags = GENERATE(UINT32_C(0), BOOT_JOB_CHAINED);
  work.elements = 777;
  INFO(describe(options, {work}));
  const std::string failure = run_collectives(options, {work}, 1);
  INFO(failure);
  REQUIRE(failure.empty());
}

TEST_CASE("The ring works with any number of slots and channels") {
  cluster_options options;
  options.ranks = GENERATE(2u, 3u, 8u);
  options.channels = GENERATE(1u, 2u, 3u, 4u);
  options.ring_entries = 5;
  workload work;
  work.slots = static_cast<std::uint32_t>(GENERATE(range(1, 9)));
  work.elements = GENERATE(100u, 2500u);
  INFO(describe(options, {work}));
  const std::string failure = run_collectives(options, {work, work}, work.slots);
  INFO(failure);
  REQUIRE(failure.empty());
}

// The stand-in shows every line late and in any order, and every counter as late as its fence or
// order lets it be; jobs of all protocols follow each other without a barrier between them.
TEST_CASE("A ring is exact by every protocol, however late and in which order its packets come") {
  const auto seed = static_cast<std::uint64_t>(GENERATE(range(0, 45)));
  std::mt19937_64 random(seed);
  cluster_options options;
  options.ranks = static_cast<std::uint32_t>(2 + random() % 8);
  options.channels = static_cast<std::uint32_t>(1 + random() % 4);
  options.ring_entries = static_cast<std::uint32_t>(4 + random() % 13);
  std::vector<workload> works(1 + random() % 6);
  for (workload& each : works) {
    constexpr boot_collective all[] = {BOOT_ALLREDUCE, BOOT_REDUCE_SCATTER, BOOT_ALLGATHER};
    constexpr std::uint32_t protocols[] = {0, BOOT_JOB_ORDERED, BOOT_JOB_IN_PACKET,
                                           BOOT_JOB_IN_PACKET};
    constexpr boot_dtype types[] = {BOOT_FP16, BOOT_FP32, BOOT_FP64};
    each.collective = all[random() % 3];
    each.flags = protocols[random() % 4];
    each.type = types[random() % 3];
    const std::uint64_t longest = random() % 2 == 0 ? 2000 : 60'000;
    each.elements = 1 + random() % longest;
    each.slots = static_cast<std::uint32_t>(1 + random() % 8);
    each.slot_bytes = 64 << random() % 8;
  }
  INFO("seed " << seed << ": " << describe(options, works));
  const std::string failure = run_collectives(options, works, seed);
  INFO(failure);
  REQUIRE(failure.empty());
}

TEST_CASE("Rings of a torus, of any sides and stripes, leave what their golden says") {
  struct shape {
    std::uint32_t x, y, z;
  };
  const shape sides = GENERATE(shape{1, 1, 5}, shape{2, 2, 2}, shape{4, 3, 0}, shape{3, 2, 4},
                               shape{7, 0, 0}, shape{1, 1, 1}, shape{5, 1, 2});
  cluster_options options;
  options.ranks = sides.x * std::max(sides.y, 1U) * std::max(sides.z, 1U);
  options.ring_entries = 12;
  workload work;
  work.algorithm = BOOT_TORUS;
  work.sides = sides.x | sides.y << TORUS_SIDE_BITS | sides.z << (2 * TORUS_SIDE_BITS);
  work.collective = GENERATE(BOOT_ALLREDUCE, BOOT_REDUCE_SCATTER, BOOT_ALLGATHER, BOOT_BROADCAST);
  work.flags = GENERATE(UINT32_C(0), BOOT_JOB_CHAINED | BOOT_JOB_ORDERED);
  work.elements = GENERATE(1U, 777U);
  work.root = options.ranks - 1;
  const std::uint32_t dimensions = torus_of(work.sides).dimensions;
  std::vector<workload> works;
  for (std::uint32_t stripes : {1U, 2 * dimensions - 1, 2 * dimensions}) {
    if (stripes > 1 && work.collective != BOOT_ALLREDUCE) continue;
    work.slots = stripes;
    works.push_back(work);
  }
  INFO(describe(options, works));
  const std::string failure = run_collectives(options, works, options.ranks);
  INFO(failure);
  REQUIRE(failure.empty());
}
