/* Writes a count that only the hardware writes. */
#include "mistake.h"

int main(void) {
  read_boot();
  hal_write32(hal_device(DMA_BLOCK_ID, 0) + DMA_CHANNEL_COMPLETED(3), 7);
  return 0;
}
