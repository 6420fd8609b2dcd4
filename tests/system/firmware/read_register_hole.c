/* Reads an offset of the DMA engine where there is no register. */
#include "mistake.h"

int main(void) {
  return (int)hal_read32(read_boot().dma + 0x20);
}
