// The driver of the DMA engine: copies without bytes, which the engine would refuse, and where
// descriptors lie in the ring.
#include <catch2/catch.hpp>

#include "regs/dma_regs.h"
#include "sw/drivers/dma.h"
#include "sw/drivers/line.h"
#include "tests/firmware/register_hal.hpp"

using namespace heddle::test;

namespace {

constexpr std::uint64_t base = 0x1'0000, rings = 0x4000, from = 0x10'0000, to = 0x20'0000;
constexpr std::uint32_t channel = 1;

using writes = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

struct opened {
  register_hal& block = fresh_hardware();
  dma engine = {};

  explicit opened(std::uint32_t entries = 4, std::uint32_t completed = 0) {
    block.devices[DMA_BLOCK_ID] = {base};
    block.words[base + DMA_CHANNELS] = 8;
    boot_block boot = {};
    boot.rings = rings;
    block.words[base + DMA_CHANNEL_COMPLETED(channel)] = completed;
    boot.ring_entries = entries;
    boot.channels = 2;
    REQUIRE(dma_open(&engine, &boot) == STATUS_OK);
    block.writes.clear();
  }
  // What is written for the posted copies, from the ring to the doorbell.
  writes announced() {
    dma_ring_doorbell(&engine, channel);
    return block.writes;
  }
};

// Descriptor 0 of the channel and its doorbell.
writes one_descriptor(std::uint32_t control, std::uint32_t bytes, std::uint64_t flag) {
  const std::uint64_t entry = rings + 4 * sizeof(dma_descriptor);
  return {{entry, control | static_cast<std::uint64_t>(bytes) << 32},
          {entry + 8, from},
          {entry + 16, to},
          {entry + 24, flag},
          {base + DMA_CHANNEL_DOORBELL(channel), 1}};
}

}  // namespace

TEST_CASE("a copy of no bytes posts nothing") {
  opened test;
  CHECK(dma_copy(&test.engine, channel, to, from, 0) == STATUS_OK);
  CHECK(dma_copy_control(&test.engine, channel, to, from, 0) == STATUS_OK);
  CHECK(dma_copy_to_lines(&test.engine, channel, to, from, 0, 7) == STATUS_OK);
  CHECK(test.announced().empty());
}

TEST_CASE("a copy that somebody acts on is one descriptor") {
  opened test;
  CHECK(dma_copy_control(&test.engine, channel, to, from, 1) == STATUS_OK);
  CHECK(test.announced() == one_descriptor(DMA_COPY | DMA_CONTROL, 1, 0));
}

TEST_CASE("a copy to lines is one descriptor with their flag") {
  opened test;
  CHECK(dma_copy_to_lines(&test.engine, channel, to, from, 120, 7) == STATUS_OK);
  CHECK(test.announced() == one_descriptor(DMA_COPY | DMA_LINES, 120, 7));
}

TEST_CASE("a copy to lines is refused where it is longer than a message") {
  opened test;
  const std::uint64_t longest = LINES_OF_MESSAGE * LINE_DATA;
  CHECK(dma_copy_to_lines(&test.engine, channel, to, from, longest, 7) == STATUS_OK);
  CHECK(test.announced() ==
        one_descriptor(DMA_COPY | DMA_LINES, static_cast<std::uint32_t>(longest), 7));
  for (const std::uint64_t bytes : {longest + 1, (1UL << 32) + LINE_DATA}) {
    test.block.writes.clear();
    CHECK(dma_copy_to_lines(&test.engine, channel, to, from, bytes, 7) == STATUS_BAD_JOB);
    CHECK(test.announced().empty());
    REQUIRE_FALSE(test.block.logs.empty());
    CHECK(test.block.logs.back().second == bytes);
  }
}

TEST_CASE("descriptors take the entries of a ring of any length in turn, also when counts wrap") {
  constexpr std::uint32_t entries = 5, before_wrap = 0xfffffffe;
  opened test(entries, before_wrap);
  std::vector<std::uint64_t> taken;
  for (std::uint32_t i = 0; i < 2 * entries; ++i) {
    test.block.writes.clear();
    CHECK(dma_write(&test.engine, channel, to, 0, 0) == STATUS_OK);
    taken.push_back((test.block.writes.at(0).first - rings) / sizeof(dma_descriptor) - entries);
    dma_ring_doorbell(&test.engine, channel);
    test.block.words[base + DMA_CHANNEL_COMPLETED(channel)] = test.engine.channel[channel].posted;
  }
  CHECK(taken == std::vector<std::uint64_t>{0, 1, 2, 3, 4, 0, 1, 2, 3, 4});
}
