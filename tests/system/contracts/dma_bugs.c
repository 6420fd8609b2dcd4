#include "bugs.h"
#include "regs/dma_regs.h"

#define CHANNEL 3
#define ENTRIES 4

static const struct dma_descriptor* good_copy(const struct bug_bench* on,
                                              struct dma_descriptor* made) {
  made->control = DMA_COPY;
  made->length = 64;
  made->source = on->boot.self;
  made->destination = on->boot.self + 0x100000;
  made->reserved = 0;
  return made;
}

static void put(const struct bug_bench* on, uint32_t entry, const struct dma_descriptor* it) {
  hal_write_block(on->boot.rings + entry * sizeof *it, it, sizeof *it);
}

static void set_ring(const struct bug_bench* on) {
  hal_write64(on->dma + DMA_CHANNEL_RING_BASE(CHANNEL), on->boot.rings);
  hal_write32(on->dma + DMA_CHANNEL_RING_ENTRIES(CHANNEL), ENTRIES);
}

static int wait(const struct bug_bench* on, uint32_t count) {
  return hal_poll_reached32(on->dma + DMA_CHANNEL_COMPLETED(CHANNEL), count, 10000);
}

/* Everything up to the doorbell, as it should be. */
static void prepare(const struct bug_bench* on) {
  struct dma_descriptor copy;
  set_ring(on);
  put(on, 0, good_copy(on, &copy));
  put(on, 1, &copy);
  hal_fence();
}

static int missing_fence(const struct bug_bench* on) {
  struct dma_descriptor copy;
  set_ring(on);
  put(on, 0, good_copy(on, &copy));
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1); /* bug 1 */
  return wait(on, 1);
}

static int doorbell_before_base(const struct bug_bench* on) {
  hal_write32(on->dma + DMA_CHANNEL_RING_ENTRIES(CHANNEL), ENTRIES);
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1); /* bug 2 */
  return wait(on, 1);
}

static int doorbell_before_entries(const struct bug_bench* on) {
  hal_write64(on->dma + DMA_CHANNEL_RING_BASE(CHANNEL), on->boot.rings);
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1); /* bug 3 */
  return wait(on, 1);
}

static int ring_overrun(const struct bug_bench* on) {
  prepare(on);
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), ENTRIES + 1); /* bug 4 */
  return wait(on, 1);
}

static int doorbell_that_goes_back(const struct bug_bench* on) {
  prepare(on);
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 2);
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1); /* bug 5 */
  return wait(on, 2);
}

static int unaligned_ring(const struct bug_bench* on) {
  hal_write64(on->dma + DMA_CHANNEL_RING_BASE(CHANNEL), on->boot.rings + 16); /* bug 6 */
  return 0;
}

static int ring_without_entries(const struct bug_bench* on) {
  hal_write32(on->dma + DMA_CHANNEL_RING_ENTRIES(CHANNEL), 0); /* bug 7 */
  return 0;
}

static int ring_moved_while_running(const struct bug_bench* on) {
  prepare(on);
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1);
  hal_write64(on->dma + DMA_CHANNEL_RING_BASE(CHANNEL), on->boot.rings); /* bug 8 */
  return 0;
}

/* The channel stops at an empty descriptor; the driver goes on as if nothing were. */
static int reset_forgotten(const struct bug_bench* on) {
  const struct dma_descriptor empty = {0, 0, 0, 0, 0};
  set_ring(on);
  put(on, 0, &empty);
  hal_fence();
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1);
  (void)wait(on, 1);
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 2); /* bug 9 */
  return 0;
}

static int length_of_zero(const struct bug_bench* on) {
  struct dma_descriptor copy;
  set_ring(on);
  good_copy(on, &copy);
  copy.length = 0;
  put(on, 0, &copy);
  hal_fence();
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1); /* bug 10 */
  return wait(on, 1);
}

/* One descriptor in the ring, two announced. */
static int off_by_one_descriptor(const struct bug_bench* on) {
  struct dma_descriptor copy;
  set_ring(on);
  put(on, 0, good_copy(on, &copy));
  hal_fence();
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 2); /* bug 11 */
  return wait(on, 2);
}

static int unknown_opcode(const struct bug_bench* on) {
  struct dma_descriptor copy;
  set_ring(on);
  good_copy(on, &copy);
  copy.control = 7;
  put(on, 0, &copy);
  hal_fence();
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1); /* bug 12 */
  return wait(on, 1);
}

static int copy_to_nowhere(const struct bug_bench* on) {
  struct dma_descriptor copy;
  set_ring(on);
  good_copy(on, &copy);
  copy.destination = UINT64_C(0xff0000000000);
  put(on, 0, &copy);
  hal_fence();
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1); /* bug 13 */
  return wait(on, 1);
}

static int reserved_bits(const struct bug_bench* on) {
  struct dma_descriptor copy;
  set_ring(on);
  good_copy(on, &copy);
  copy.control |= 0x8000;
  put(on, 0, &copy);
  hal_fence();
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1); /* bug 23 */
  return wait(on, 1);
}

/* Of 8 that this engine has. */
static int ninth_channel(const struct bug_bench* on) {
  struct dma_descriptor copy;
  hal_write64(on->dma + DMA_CHANNEL_RING_BASE(8), on->boot.rings);
  hal_write32(on->dma + DMA_CHANNEL_RING_ENTRIES(8), ENTRIES);
  put(on, 0, good_copy(on, &copy));
  hal_fence();
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(8), 1); /* bug 24 */
  return 0;
}

#define RESET_COPY 0x100000

/* Descriptor 0 copies for about 2 us, its channel is reset before that is over. */
static void reset_in_the_middle(const struct bug_bench* on) {
  const struct dma_descriptor copy = {DMA_COPY, RESET_COPY, on->boot.self + 0x100000,
                                      on->boot.self + 0x200000, 0};
  set_ring(on);
  put(on, 0, &copy);
  hal_fence();
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1);
  for (int i = 0; i < 8; ++i) (void)hal_read32(on->dma + DMA_CHANNEL_COMPLETED(CHANNEL));
  hal_write32(on->dma + DMA_CHANNEL_CONTROL(CHANNEL), DMA_CHANNEL_CONTROL_RESET_MASK);
}

static int wait_for_idle(const struct bug_bench* on) {
  return hal_poll_equal32(on->dma + DMA_CHANNEL_STATUS(CHANNEL), DMA_CHANNEL_STATUS_STATE_MASK,
                          DMA_CHANNEL_STATUS_STATE_IDLE << DMA_CHANNEL_STATUS_STATE_POS, 10000);
}

static int result_written_after_a_reset(const struct bug_bench* on) {
  reset_in_the_middle(on);
  hal_write64(on->boot.self + 0x200000 + RESET_COPY - 8, 1); /* bug 25 */
  return wait_for_idle(on);
}

static int doorbell_after_a_reset(const struct bug_bench* on) {
  reset_in_the_middle(on);
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1); /* bug 26 */
  return wait(on, 1);
}

/* Numbers of descriptors begin again at a reset, as the registers count them. */
static int empty_copy_after_a_reset(const struct bug_bench* on) {
  struct dma_descriptor copy;
  reset_in_the_middle(on);
  if (wait_for_idle(on) != 0) return 1;
  put(on, 0, good_copy(on, &copy));
  copy.length = 0;
  put(on, 1, &copy);
  hal_fence();
  hal_write32(on->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 2); /* bug 27 */
  return wait(on, 2);
}

int run_dma_bug(const struct bug_bench* on, uint32_t bug) {
  switch (bug) {
    case 1:
      return missing_fence(on);
    case 2:
      return doorbell_before_base(on);
    case 3:
      return doorbell_before_entries(on);
    case 4:
      return ring_overrun(on);
    case 5:
      return doorbell_that_goes_back(on);
    case 6:
      return unaligned_ring(on);
    case 7:
      return ring_without_entries(on);
    case 8:
      return ring_moved_while_running(on);
    case 9:
      return reset_forgotten(on);
    case 10:
      return length_of_zero(on);
    case 11:
      return off_by_one_descriptor(on);
    case 12:
      return unknown_opcode(on);
    case 13:
      return copy_to_nowhere(on);
    case 14:
      hal_write32(on->dma + DMA_CHANNEL_COMPLETED(CHANNEL), 7); /* bug 14 */
      return 0;
    case 15:
      return (int)hal_read32(on->dma + DMA_CHANNEL_CONTROL(CHANNEL)); /* bug 15 */
    case 16:
      return (int)hal_read32(on->dma + 0x20); /* bug 16 */
    case 17:
      return (int)hal_read32(on->dma + DMA_IRQ_STATUS + 2); /* bug 17 */
    case 18:
      hal_write64(on->dma + DMA_CHANNEL_RING_ENTRIES(CHANNEL), 1); /* bug 18 */
      return 0;
    case 19:
      hal_write32(on->dma + DMA_CHANNEL_CONTROL(CHANNEL), 0xff); /* bug 19 */
      return 0;
    case 20:
      hal_write32(on->dma + DMA_CHANNEL_DOORBELL(16), 1); /* bug 20 */
      return 0;
    case 21:
      return (int)hal_read32(on->dma - 0x4000); /* bug 21 */
    case 22:
      return hal_poll_reached32(on->dma + DMA_CHANNEL_CONTROL(CHANNEL), 1, 0); /* bug 22 */
    case 23:
      return reserved_bits(on);
    case 24:
      return ninth_channel(on);
    case 25:
      return result_written_after_a_reset(on);
    case 26:
      return doorbell_after_a_reset(on);
    case 27:
      return empty_copy_after_a_reset(on);
    default:
      return 99;
  }
}
