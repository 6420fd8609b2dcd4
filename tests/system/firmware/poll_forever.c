/* Waits for a descriptor that it never posted. */
#include "mistake.h"

int main(void) {
  read_boot();
  return hal_poll_reached32(hal_device(DMA_BLOCK_ID, 0) + DMA_CHANNEL_COMPLETED(3), 1, 0);
}
