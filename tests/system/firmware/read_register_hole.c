/* Reads an offset of the DMA engine where there is no register. */
#include "mistake.h"

int main(void) {
  read_boot();
  return (int)hal_read32(hal_device(DMA_BLOCK_ID, 0) + 0x20);
}
