/* Waits for a descriptor that it never posted. */
#include "mistake.h"

int main(void) {
  return hal_poll_reached32(read_boot().dma + DMA_CHANNEL_COMPLETED(3), 1, 0);
}
