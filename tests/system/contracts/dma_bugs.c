#include "bugs.h"
#include "regs/dma_regs.h"

#define CHANNEL 3
#define ENTRIES 4

static const struct dma_descriptor* good_copy(const struct boot_block* boot,
                                              struct dma_descriptor* made) {
  made->control = DMA_COPY;
  made->length = 64;
  made->source = boot->self;
  made->destination = boot->self + 0x100000;
  made->reserved = 0;
  return made;
}

static void put(const struct boot_block* boot, uint32_t entry, const struct dma_descriptor* it) {
  hal_write_block(boot->rings + entry * sizeof *it, it, sizeof *it);
}

static void set_ring(const struct boot_block* boot) {
  hal_write64(boot->dma + DMA_CHANNEL_RING_BASE(CHANNEL), boot->rings);
  hal_write32(boot->dma + DMA_CHANNEL_RING_ENTRIES(CHANNEL), ENTRIES);
}

static int wait(const struct boot_block* boot, uint32_t count) {
  return hal_poll_reached32(boot->dma + DMA_CHANNEL_COMPLETED(CHANNEL), count, 10000);
}

/* Everything up to the doorbell, as it should be. */
static void prepare(const struct boot_block* boot) {
  struct dma_descriptor copy;
  set_ring(boot);
  put(boot, 0, good_copy(boot, &copy));
  put(boot, 1, &copy);
  hal_fence();
}

static int missing_fence(const struct boot_block* boot) {
  struct dma_descriptor copy;
  set_ring(boot);
  put(boot, 0, good_copy(boot, &copy));
  hal_write32(boot->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1); /* bug 1 */
  return wait(boot, 1);
}

static int doorbell_before_base(const struct boot_block* boot) {
  hal_write32(boot->dma + DMA_CHANNEL_RING_ENTRIES(CHANNEL), ENTRIES);
  hal_write32(boot->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1); /* bug 2 */
  return wait(boot, 1);
}

static int doorbell_before_entries(const struct boot_block* boot) {
  hal_write64(boot->dma + DMA_CHANNEL_RING_BASE(CHANNEL), boot->rings);
  hal_write32(boot->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1); /* bug 3 */
  return wait(boot, 1);
}

static int ring_overrun(const struct boot_block* boot) {
  prepare(boot);
  hal_write32(boot->dma + DMA_CHANNEL_DOORBELL(CHANNEL), ENTRIES + 1); /* bug 4 */
  return wait(boot, 1);
}

static int doorbell_that_goes_back(const struct boot_block* boot) {
  prepare(boot);
  hal_write32(boot->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 2);
  hal_write32(boot->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1); /* bug 5 */
  return wait(boot, 2);
}

static int unaligned_ring(const struct boot_block* boot) {
  hal_write64(boot->dma + DMA_CHANNEL_RING_BASE(CHANNEL), boot->rings + 16); /* bug 6 */
  return 0;
}

static int ring_without_entries(const struct boot_block* boot) {
  hal_write32(boot->dma + DMA_CHANNEL_RING_ENTRIES(CHANNEL), 0); /* bug 7 */
  return 0;
}

static int ring_moved_while_running(const struct boot_block* boot) {
  prepare(boot);
  hal_write32(boot->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1);
  hal_write64(boot->dma + DMA_CHANNEL_RING_BASE(CHANNEL), boot->rings); /* bug 8 */
  return 0;
}

/* The channel stops at an empty descriptor; the driver goes on as if nothing were. */
static int reset_forgotten(const struct boot_block* boot) {
  const struct dma_descriptor empty = {0, 0, 0, 0, 0};
  set_ring(boot);
  put(boot, 0, &empty);
  hal_fence();
  hal_write32(boot->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1);
  (void)wait(boot, 1);
  hal_write32(boot->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 2); /* bug 9 */
  return 0;
}

static int length_of_zero(const struct boot_block* boot) {
  struct dma_descriptor copy;
  set_ring(boot);
  good_copy(boot, &copy);
  copy.length = 0;
  put(boot, 0, &copy);
  hal_fence();
  hal_write32(boot->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1); /* bug 10 */
  return wait(boot, 1);
}

/* One descriptor in the ring, two announced. */
static int off_by_one_descriptor(const struct boot_block* boot) {
  struct dma_descriptor copy;
  set_ring(boot);
  put(boot, 0, good_copy(boot, &copy));
  hal_fence();
  hal_write32(boot->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 2); /* bug 11 */
  return wait(boot, 2);
}

static int unknown_opcode(const struct boot_block* boot) {
  struct dma_descriptor copy;
  set_ring(boot);
  good_copy(boot, &copy);
  copy.control = 7;
  put(boot, 0, &copy);
  hal_fence();
  hal_write32(boot->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1); /* bug 12 */
  return wait(boot, 1);
}

static int copy_to_nowhere(const struct boot_block* boot) {
  struct dma_descriptor copy;
  set_ring(boot);
  good_copy(boot, &copy);
  copy.destination = UINT64_C(0xff0000000000);
  put(boot, 0, &copy);
  hal_fence();
  hal_write32(boot->dma + DMA_CHANNEL_DOORBELL(CHANNEL), 1); /* bug 13 */
  return wait(boot, 1);
}

int run_dma_bug(const struct boot_block* boot, uint32_t bug) {
  switch (bug) {
    case 1:
      return missing_fence(boot);
    case 2:
      return doorbell_before_base(boot);
    case 3:
      return doorbell_before_entries(boot);
    case 4:
      return ring_overrun(boot);
    case 5:
      return doorbell_that_goes_back(boot);
    case 6:
      return unaligned_ring(boot);
    case 7:
      return ring_without_entries(boot);
    case 8:
      return ring_moved_while_running(boot);
    case 9:
      return reset_forgotten(boot);
    case 10:
      return length_of_zero(boot);
    case 11:
      return off_by_one_descriptor(boot);
    case 12:
      return unknown_opcode(boot);
    case 13:
      return copy_to_nowhere(boot);
    case 14:
      hal_write32(boot->dma + DMA_CHANNEL_COMPLETED(CHANNEL), 7); /* bug 14 */
      return 0;
    case 15:
      return (int)hal_read32(boot->dma + DMA_CHANNEL_CONTROL(CHANNEL)); /* bug 15 */
    case 16:
      return (int)hal_read32(boot->dma + 0x20); /* bug 16 */
    case 17:
      return (int)hal_read32(boot->dma + DMA_IRQ_STATUS + 2); /* bug 17 */
    case 18:
      hal_write64(boot->dma + DMA_CHANNEL_RING_ENTRIES(CHANNEL), 1); /* bug 18 */
      return 0;
    case 19:
      hal_write32(boot->dma + DMA_CHANNEL_CONTROL(CHANNEL), 0xff); /* bug 19 */
      return 0;
    case 20:
      hal_write32(boot->dma + DMA_CHANNEL_DOORBELL(16), 1); /* bug 20 */
      return 0;
    case 21:
      return (int)hal_read32(boot->dma - 0x4000); /* bug 21 */
    case 22:
      return hal_poll_reached32(boot->dma + DMA_CHANNEL_CONTROL(CHANNEL), 1, 0); /* bug 22 */
    default:
      return 99;
  }
}
