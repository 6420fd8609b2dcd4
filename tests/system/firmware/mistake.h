/* What the firmware with mistakes has in common. */
#ifndef HEDDLE_TESTS_MISTAKE_H
#define HEDDLE_TESTS_MISTAKE_H

#include "drivers/dma_descriptor.h"
#include "hal/boot.h"
#include "hal/hal.h"
#include "regs/dma_regs.h"
#include "regs/vector_regs.h"

static inline struct boot_block read_boot(void) {
  struct boot_block boot;
  hal_read_block(&boot, hal_boot_address(), sizeof boot);
  return boot;
}

/* Puts the descriptor into entry 0 of channel 3's ring of 4, and posts so many. */
static inline void post_on_channel_3(const struct boot_block* boot,
                                     const struct dma_descriptor* descriptor, uint32_t posted) {
  const uint64_t dma = hal_device(DMA_BLOCK_ID, 0);
  hal_write_block(boot->rings, descriptor, sizeof *descriptor);
  hal_write64(dma + DMA_CHANNEL_RING_BASE(3), boot->rings);
  hal_write32(dma + DMA_CHANNEL_RING_ENTRIES(3), 4);
  hal_fence();
  hal_write32(dma + DMA_CHANNEL_DOORBELL(3), posted);
}

#endif
