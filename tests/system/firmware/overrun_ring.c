/* Posts five descriptors in a ring of four, then waits for them. */
#include "mistake.h"

int main(void) {
  const struct boot_block boot = read_boot();
  const uint64_t dma = hal_device(DMA_BLOCK_ID, 0);
  const struct dma_descriptor descriptor = {DMA_COPY, 64, boot.self, boot.self + 0x100000, 0};
  post_on_channel_3(&boot, &descriptor, 5);
  return hal_poll_reached32(dma + DMA_CHANNEL_COMPLETED(3), 5, 10000);
}
