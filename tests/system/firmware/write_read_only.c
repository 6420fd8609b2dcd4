/* Writes a count that only the hardware writes. */
#include "mistake.h"

int main(void) {
  hal_write32(read_boot().dma + DMA_CHANNEL_COMPLETED(3), 7);
  return 0;
}
