/* Adds two vectors on the vector unit and checks the sum. */
#include "drivers/vector.h"
#include "hal/hal.h"

#define ELEMENTS UINT64_C(1024)
#define BOOT_BYTES UINT64_C(0x10000) /* the platform's, at the start of the core's memory */

int main(void) {
  const uint64_t a = hal_boot_address() + BOOT_BYTES, b = a + ELEMENTS * sizeof(uint32_t);
  for (uint64_t i = 0; i < ELEMENTS; ++i) {
    hal_write32(a + i * sizeof(uint32_t), (uint32_t)i);
    hal_write32(b + i * sizeof(uint32_t), 1000);
  }
  const struct boot_block boot = {.timeout_ns = 1000000};
  struct vector vector;
  vector_open(&vector, &boot); /* finds the unit, wherever the netlist maps it */
  enum status status = vector_set_operation(&vector, BOOT_INT32, BOOT_SUM);
  if (status == STATUS_OK) status = vector_reduce(&vector, a, b, ELEMENTS, sizeof(uint32_t));
  if (status != STATUS_OK) {
    hal_log(status_name(status), (uint64_t)status);
    return 1;
  }
  for (uint64_t i = 0; i < ELEMENTS; ++i) {
    if (hal_read32(a + i * sizeof(uint32_t)) == i + 1000) continue;
    hal_log("wrong sum of element", i);
    return 1;
  }
  hal_log("sums right", ELEMENTS);
  return 0;
}
