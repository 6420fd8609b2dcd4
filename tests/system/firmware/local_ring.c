/* A descriptor ring among the program's own variables, in memory that the core reaches without the
 * bus. Rank 1 fences before its doorbell, rank 0 does not. */
#include "mistake.h"

static struct dma_descriptor ring[4] __attribute__((aligned(32)));
static volatile uint32_t posted; /* nobody's business but ours */

int main(void) {
  const struct boot_block boot = read_boot();
  const uint64_t dma = hal_device(DMA_BLOCK_ID, 0);
  hal_write64(dma + DMA_CHANNEL_RING_BASE(3), (uint64_t)(uintptr_t)ring);
  hal_write32(dma + DMA_CHANNEL_RING_ENTRIES(3), 4);
  hal_fence();
  ring[0] = (struct dma_descriptor){DMA_COPY, 64, boot.self, boot.self + 4096, 0};
  if (boot.rank == 1) hal_fence();
  ++posted;
  hal_write32(dma + DMA_CHANNEL_DOORBELL(3), 1);
  return hal_poll_reached32(dma + DMA_CHANNEL_COMPLETED(3), 1, 10000);
}
