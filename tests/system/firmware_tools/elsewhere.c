/* Finds its data by the symbol of the linker script, and its stack at the end of its own memory. */
#include "hal/hal.h"

#if defined(__riscv)
extern char data_in[];
#define DATA ((uint64_t)(uintptr_t)data_in)
#else
#define DATA UINT64_C(0x1000000)
#endif

int main(void) {
  uint32_t on_stack[16];
  for (uint32_t i = 0; i < 16; ++i) on_stack[i] = i * i;
  hal_write_block(DATA, on_stack, sizeof on_stack);
  hal_log("data at", DATA);
  return hal_read32(DATA + 15 * sizeof(uint32_t)) == 225 ? 0 : 1;
}
