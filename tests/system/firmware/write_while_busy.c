/* Changes an operand while the vector unit works. */
#include "mistake.h"

int main(void) {
  const struct boot_block boot = read_boot();
  const uint64_t vector = hal_device(VECTOR_BLOCK_ID, 0);
  hal_write64(vector + VECTOR_DESTINATION, boot.self + 0x100000);
  hal_write64(vector + VECTOR_SOURCE, boot.self + 0x200000);
  hal_write32(vector + VECTOR_ELEMENTS, 1024);
  hal_write32(vector + VECTOR_START, 1);
  hal_write64(vector + VECTOR_SOURCE, boot.self + 0x300000);
  return 0;
}
