// Messages in lines whose count has passed 2^32: what is sent, and what is waited for first.
#include <catch2/catch.hpp>

#include "regs/dma_regs.h"
#include "sw/collectives/ring.h"
#include "tests/firmware/register_hal.hpp"

using namespace heddle::test;

namespace {

constexpr std::uint64_t base = 0x1'0000, rings = 0x4000, self = 0x10'0000, next = 0x20'0000;
constexpr std::uint64_t flags = self + 0x1000, lines = self + 0x2000;
constexpr std::uint64_t count = UINT64_C(1) << 32;  // of the message that the test sends

// An all-gather of two ranks, one element each, when the next rank has taken so many messages.
struct sent_message {
  register_hal& block = fresh_hardware();
  communicator comm{};
  int status;

  explicit sent_message(std::uint32_t taken) {
    comm.boot.ranks = 2;
    comm.boot.self = self;
    comm.boot.flags = flags;
    comm.boot.lines = lines;
    comm.next = comm.previous = next;
    comm.dma.registers = base;
    comm.dma.ring_entries = 16;
    comm.dma.channels = 1;
    comm.dma.channel[0].ring = rings;
    comm.lines_sent = comm.lines_received = count - 1;
    block.words[flags + flag_behind(2, FLAG_LINES) * sizeof(std::uint32_t)] = taken;
    block.words[lines + LINE_DATA] = 1;  // nothing comes
    boot_job job{};
    job.elements = 2;
    job.element_bytes = 2;
    job.slot_bytes = 64;
    job.flags = BOOT_JOB_IN_PACKET;
    status = run_ring(&comm, &job, {0, 1});
  }
  bool has_rung() const { return block.words.count(base + DMA_CHANNEL_DOORBELL(0)) != 0; }
};

}  // namespace

TEST_CASE("a message waits until the next rank has emptied its slot, whatever the count") {
  constexpr auto emptied = static_cast<std::uint32_t>(count - LINE_SLOTS);
  CHECK(sent_message(emptied).has_rung());
  const sent_message early(emptied - 1);
  CHECK(early.status == STATUS_TIMEOUT);
  CHECK_FALSE(early.has_rung());
}

TEST_CASE(
    "the flag of a message in lines is its whole count, and its slot follows the one before") {
  sent_message sent(static_cast<std::uint32_t>(count - 1));
  CHECK(sent.block.words[rings + offsetof(dma_descriptor, destination)] == next + lines - self);
  CHECK(sent.block.words[rings + offsetof(dma_descriptor, reserved)] == count);
}
