/* Adds to a word of 64 bits whose address is no multiple of 8. */
#include "hal/hal.h"

int main(void) {
  (void)hal_atomic_add64(hal_boot_address() + 0x10004, 1);
  return 0;
}
