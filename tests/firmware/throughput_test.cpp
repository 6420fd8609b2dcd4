// The pipelined ring keeps its links busy. Sizes and link rate are those of 64 MiB at 360 GB/s over
// 100; latencies are not, so messages, slots and waits relate as in the full size.
#include <catch2/catch.hpp>

#include "platform/firmware/firmware_registry.hpp"
#include "tests/firmware/workload.hpp"

using namespace heddle::test;

namespace {

constexpr double bytes_per_ns = 3.6;
constexpr std::uint32_t ranks = 8;
constexpr std::uint64_t elements = (UINT64_C(64) << 20) / 100 / 4;

struct shape {
  std::uint32_t slots;
  std::uint64_t slot_bytes;
  std::uint32_t channels;
};

double link_use(const shape& shape, double steps, workload work) {
  cluster_options options;
  options.ranks = ranks;
  options.channels = shape.channels;
  options.ring_entries = 64;
  work.type = BOOT_INT32;
  work.elements = elements;
  work.slots = shape.slots;
  work.slot_bytes = shape.slot_bytes;
  link_timing times(bytes_per_ns);
  cluster under_test(options, times, heddle::firmware_registry::instance().find("collectives"));
  REQUIRE(under_test.run({make_job(work, ranks, 1)}).empty());
  const double wire_ns = steps * static_cast<double>(elements) * 4 / ranks / bytes_per_ns;
  return wire_ns / static_cast<double>(under_test.job_ns(0));
}

}  // namespace

TEST_CASE("A ring allreduce of 64 MiB uses 98 % of its links") {
  const shape each = GENERATE(shape{8, 2560, 4}, shape{16, 1280, 8}, shape{32, 640, 16});
  INFO(each.slots << " slots, " << each.channels << " channels");
  CHECK(link_use(each, 2 * (ranks - 1), workload{}) >= 0.98);
}

TEST_CASE("So do its halves alone, nearly") {
  workload work;
  work.collective = GENERATE(BOOT_REDUCE_SCATTER, BOOT_ALLGATHER);
  CHECK(link_use({16, 1280, 8}, ranks - 1, work) >= 0.97);
}

// A half is 33 segments. If a rank passed a segment on only when the same one of the other tree has
// come, links would be busy for less than a quarter of the time.
TEST_CASE("Two trees are pipelined by a core that does one step after the other") {
  workload work;
  work.algorithm = BOOT_DOUBLE_TREE;
  work.collective = GENERATE(BOOT_ALLREDUCE, BOOT_REDUCE, BOOT_BROADCAST);
  const double passes = work.collective == BOOT_ALLREDUCE ? 2 : 1;
  CHECK(link_use({1, 10240, 4}, passes * ranks, work) >= 0.90);
}

TEST_CASE("A ring broadcast is pipelined") {
  workload work;
  work.collective = BOOT_BROADCAST;
  CHECK(link_use({16, 1280, 8}, ranks, work) >= 0.90);
}
