/* Bugs around buffers, flags and interrupts: every register is used as its contract wants. */
#include "bugs.h"
#include "regs/dma_regs.h"
#include "regs/multimem_regs.h"
#include "regs/vector_regs.h"

#define CHANNEL 3
#define ENTRIES 4
#define LONG_COPY 0x40000

static uint64_t source(const struct bug_bench* on) {
  return on->boot.self + 0x100000;
}
static uint64_t result(const struct bug_bench* on) {
  return on->boot.self + 0x200000;
}

static void put(const struct bug_bench* on, uint32_t channel, uint32_t entry, uint32_t bytes,
                uint32_t flags) {
  const struct dma_descriptor made = {DMA_COPY | flags, bytes, source(on), result(on), 0};
  hal_write_block(on->boot.rings + ((uint64_t)channel * 16 + entry) * sizeof made, &made,
                  sizeof made);
}

static void open_channel(const struct bug_bench* on, uint32_t channel, uint32_t ring) {
  hal_write64(on->dma + DMA_CHANNEL_RING_BASE(channel),
              on->boot.rings + (uint64_t)ring * 16 * sizeof(struct dma_descriptor));
  hal_write32(on->dma + DMA_CHANNEL_RING_ENTRIES(channel), ENTRIES);
}

static int wait(const struct bug_bench* on, uint32_t count) {
  return hal_poll_reached32(on->dma + DMA_CHANNEL_COMPLETED(CHANNEL), count, 1000000);
}

static void ring(const struct bug_bench* on, uint32_t posted) {
  hal_fence();
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), posted);
}

/* Copies one by one, as many as there are entries: the first lap. */
static void first_lap(const struct bug_bench* on) {
  open_channel(on, CHANNEL, CHANNEL);
  for (uint32_t i = 0; i < ENTRIES; ++i) {
    put(on, CHANNEL, i, 64, 0);
    ring(on, i + 1);
    (void)wait(on, i + 1);
  }
}

static int ring_wrapped_too_late(const struct bug_bench* on) {
  first_lap(on);
  put(on, CHANNEL, ENTRIES, 64, 0); /* should be entry 0 */
  hal_fence();
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), ENTRIES + 1); /* bug 100 */
  return wait(on, ENTRIES + 1);
}

/* Waits for the first copy of this job; there was one of another job before. */
static int completed_taken_for_zero(const struct bug_bench* on) {
  open_channel(on, CHANNEL, CHANNEL);
  put(on, CHANNEL, 0, 64, 0);
  ring(on, 1);
  (void)wait(on, 1);
  put(on, CHANNEL, 1, LONG_COPY, 0);
  ring(on, 2);
  (void)wait(on, 1);
  (void)hal_read32(result(on)); /* bug 101 */
  return wait(on, 2);
}

static int two_channels_on_one_ring(const struct bug_bench* on) {
  open_channel(on, CHANNEL, CHANNEL);
  open_channel(on, CHANNEL + 1, CHANNEL);
  put(on, CHANNEL, 0, LONG_COPY, 0);
  ring(on, 1);
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL + 1), 1); /* bug 102 */
  (void)hal_poll_reached32(on->dma + DMA_CHANNEL_COMPLETED(CHANNEL + 1), 1, 1000000);
  return wait(on, 1);
}

static void start_long_copy(const struct bug_bench* on) {
  open_channel(on, CHANNEL, CHANNEL);
  put(on, CHANNEL, 0, LONG_COPY, 0);
  ring(on, 1);
}

static int source_reused_in_flight(const struct bug_bench* on) {
  start_long_copy(on);
  hal_write64(source(on) + LONG_COPY - 8, 1); /* bug 103 */
  return wait(on, 1);
}

static int result_read_early(const struct bug_bench* on) {
  start_long_copy(on);
  (void)hal_read64(result(on) + 64); /* bug 104 */
  return wait(on, 1);
}

static int doorbell_before_descriptor(const struct bug_bench* on) {
  first_lap(on);
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), ENTRIES + 1); /* bug 105 */
  put(on, CHANNEL, 0, 64, 0);
  return wait(on, ENTRIES + 1);
}

static int leaves_with_work_outstanding(const struct bug_bench* on) {
  open_channel(on, CHANNEL, CHANNEL);
  put(on, CHANNEL, 0, LONG_COPY, 0);
  hal_fence();
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1); /* bug 106 */
  hal_exit(0);
}

static int interrupt_never_cleared(const struct bug_bench* on) {
  hal_write32(on->dma + DMA_IRQ_ENABLE, 1u << CHANNEL);
  open_channel(on, CHANNEL, CHANNEL);
  put(on, CHANNEL, 0, 64, DMA_INTERRUPT);
  ring(on, 1);
  hal_wait_for_interrupt(); /* bug 107 */
  return wait(on, 1);
}

/* The peer may see the flag before the data. */
static int flag_without_fence(const struct bug_bench* on) {
  const uint64_t peer = hal_read64(on->boot.peers + 8);
  hal_write64(peer + 0x100000, 42);
  hal_write32(peer + (on->boot.flags - on->boot.self), 1); /* bug 108 */
  hal_fence();
  return 0;
}

static int ring_rewritten_under_the_engine(const struct bug_bench* on) {
  start_long_copy(on);
  hal_write32(on->boot.rings + (uint64_t)CHANNEL * 16 * 32 + 4, 64); /* bug 109 */
  return wait(on, 1);
}

static int all_flags_cleared_blindly(const struct bug_bench* on) {
  hal_write32(on->dma + DMA_IRQ_STATUS, UINT32_MAX); /* none is up: as drivers begin */
  open_channel(on, CHANNEL, CHANNEL);
  put(on, CHANNEL, 0, 64, DMA_INTERRUPT);
  ring(on, 1);
  if (wait(on, 1) != 0) return 1;
  hal_write32(on->dma + DMA_IRQ_STATUS, UINT32_MAX); /* bug 110 */
  return 0;
}

static int read_of_nothing(const struct bug_bench* on) {
  return (int)hal_read32(on->boot.self + 0x300000); /* bug 111 */
}

static int block_of_nothing(const struct bug_bench* on) {
  uint64_t words[4];
  hal_write64(result(on), 1);
  hal_write64(result(on) + 8, 2);
  hal_read_block(words, result(on), sizeof words); /* bug 112 */
  return 0;
}

/* Only the lower half of the address reaches the channel. */
static int half_of_a_base(const struct bug_bench* on) {
  hal_write32(on->dma + DMA_CHANNEL_RING_BASE(CHANNEL), (uint32_t)on->boot.rings); /* bug 113 */
  hal_write32(on->dma + DMA_CHANNEL_RING_ENTRIES(CHANNEL), ENTRIES);
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1);
  return wait(on, 1);
}

static int register_loop_by_hand(const struct bug_bench* on) {
  open_channel(on, CHANNEL, CHANNEL);
  while (hal_read32(on->dma + DMA_CHANNEL_COMPLETED(CHANNEL)) < 1) continue; /* bug 114 */
  return 0;
}

static int memory_loop_by_hand(const struct bug_bench* on) {
  while (hal_read32(on->boot.flags) == 0) continue; /* bug 115 */
  return 0;
}

static void start_vector(const struct bug_bench* on, uint32_t elements) {
  hal_write64(on->vector + VECTOR_DESTINATION, result(on));
  hal_write64(on->vector + VECTOR_SOURCE, source(on));
  hal_write32(on->vector + VECTOR_ELEMENTS, elements);
  hal_write32(on->vector + VECTOR_OPERATION, 0);
}

static int wait_for_vector(const struct bug_bench* on) {
  return hal_poll_reached32(on->vector + VECTOR_COMPLETED, 1, 1000000);
}

static int sum_read_early(const struct bug_bench* on) {
  start_vector(on, 65536);
  hal_write32(on->vector + VECTOR_START, 1);
  (void)hal_read64(result(on) + 65536); /* bug 116 */
  return wait_for_vector(on);
}

static int operand_overwritten(const struct bug_bench* on) {
  start_vector(on, 65536);
  hal_write32(on->vector + VECTOR_START, 1);
  hal_write64(source(on) + 65536, 1); /* bug 117 */
  return wait_for_vector(on);
}

/* Adds what the copy has not brought yet. */
static int sum_of_a_copy_under_way(const struct bug_bench* on) {
  start_long_copy(on);
  start_vector(on, 1024);
  hal_write64(on->vector + VECTOR_SOURCE, result(on));
  hal_write64(on->vector + VECTOR_DESTINATION, on->boot.self + 0x280000);
  hal_write32(on->vector + VECTOR_START, 1); /* bug 118 */
  (void)wait_for_vector(on);
  return wait(on, 1);
}

static int copy_of_a_sum_under_way(const struct bug_bench* on) {
  open_channel(on, CHANNEL, CHANNEL);
  put(on, CHANNEL, 0, 64, 0);
  start_vector(on, 65536);
  hal_write64(on->vector + VECTOR_DESTINATION, source(on));
  hal_write64(on->vector + VECTOR_SOURCE, on->boot.self + 0x280000);
  hal_fence();
  hal_write32(on->vector + VECTOR_START, 1);
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1); /* bug 119 */
  (void)wait_for_vector(on);
  return wait(on, 1);
}

static int one_more_than_written(const struct bug_bench* on) {
  first_lap(on);
  put(on, CHANNEL, 0, 64, 0);
  hal_fence();
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), ENTRIES + 2); /* bug 120 */
  return wait(on, ENTRIES + 2);
}

static int result_cleared_too_late(const struct bug_bench* on) {
  start_long_copy(on);
  hal_write64(result(on), 0); /* bug 121 */
  return wait(on, 1);
}

static int leaves_with_a_sum_outstanding(const struct bug_bench* on) {
  start_vector(on, 65536);
  hal_write32(on->vector + VECTOR_START, 1); /* bug 122 */
  hal_exit(0);
}

static int counter_in_a_result(const struct bug_bench* on) {
  start_long_copy(on);
  (void)hal_atomic_add64(result(on) + 128, 1); /* bug 123 */
  return wait(on, 1);
}

static int never_called(void) {
  return 7;
}

static int code_overwritten(void) {
  hal_write32((uint64_t)(uintptr_t)&never_called, 0); /* bug 124 */
  return 0;
}

/* One line that is wrong again and again is told once. */
static int many_times(const struct bug_bench* on) {
  for (uint32_t i = 0; i < 30; ++i)
    (void)hal_read32(on->boot.self + 0x300000 + 64 * i); /* bug 125 */
  return 0;
}

int run_buffer_bug(const struct bug_bench* on, uint32_t bug) {
  typedef int (*planted)(const struct bug_bench*);
  static const planted all[] = {ring_wrapped_too_late,
                                completed_taken_for_zero,
                                two_channels_on_one_ring,
                                source_reused_in_flight,
                                result_read_early,
                                doorbell_before_descriptor,
                                leaves_with_work_outstanding,
                                interrupt_never_cleared,
                                flag_without_fence,
                                ring_rewritten_under_the_engine,
                                all_flags_cleared_blindly,
                                read_of_nothing,
                                block_of_nothing,
                                half_of_a_base,
                                register_loop_by_hand,
                                memory_loop_by_hand,
                                sum_read_early,
                                operand_overwritten,
                                sum_of_a_copy_under_way,
                                copy_of_a_sum_under_way,
                                one_more_than_written,
                                result_cleared_too_late,
                                leaves_with_a_sum_outstanding,
                                counter_in_a_result};
  if (bug == 124) return code_overwritten();
  if (bug == 125) return many_times(on);
  if (bug == 126) return (int)hal_read32(on->boot.self + 0x100002); /* bug 126 */
  if (bug < 100 || bug >= 100 + sizeof all / sizeof all[0]) return 99;
  return all[bug - 100](on);
}
