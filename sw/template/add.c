/* Adds two vectors on the vector unit and checks the sum. */
#include "drivers/vector.h"
#include "hal/hal.h"

#define ELEMENTS UINT64_C(1024)
#define VECTOR_UNIT UINT64_C(0x20000) /* as the netlist maps it */
#define A UINT64_C(0x1000000)
#define B (A + ELEMENTS * sizeof(uint32_t))

int main(void) {
  for (uint64_t i = 0; i < ELEMENTS; ++i) {
    hal_write32(A + i * sizeof(uint32_t), (uint32_t)i);
    hal_write32(B + i * sizeof(uint32_t), 1000);
  }
  const struct boot_block boot = {.vector = VECTOR_UNIT, .timeout_ns = 1000000};
  struct vector vector;
  vector_open(&vector, &boot);
  enum status status = vector_set_operation(&vector, BOOT_INT32, BOOT_SUM);
  if (status == STATUS_OK) status = vector_reduce(&vector, A, B, ELEMENTS, sizeof(uint32_t));
  if (status != STATUS_OK) {
    hal_log(status_name(status), (uint64_t)status);
    return 1;
  }
  for (uint64_t i = 0; i < ELEMENTS; ++i) {
    if (hal_read32(A + i * sizeof(uint32_t)) == i + 1000) continue;
    hal_log("wrong sum of element", i);
    return 1;
  }
  hal_log("sums right", ELEMENTS);
  return 0;
}
