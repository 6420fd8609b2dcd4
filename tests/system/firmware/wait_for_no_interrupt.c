/* Waits for the DMA engine's interrupt without enabling it. */
#include "mistake.h"

int main(void) {
  const struct boot_block boot = read_boot();
  const struct dma_descriptor descriptor = {DMA_COPY | DMA_INTERRUPT, 64, boot.self,
                                            boot.self + 0x100000, 0};
  post_on_channel_3(&boot, &descriptor, 1);
  hal_wait_for_interrupt();
  return 0;
}
