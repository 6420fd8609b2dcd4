/* Devices on a RISC-V core: the HAL looks them up in the table of the boot block. */
#include <stddef.h>

#include "hal/boot.h"
#include "hal/hal.h"
#include "hal/rv_host.h"

struct table {
  uint64_t first; /* address of a struct boot_device */
  uint32_t count;
};

/* Empty where the platform has written no boot block. */
static struct table find_table(void) {
  const uint64_t boot = hal_boot_address();
  struct table found = {0, 0};
  if (hal_read32(boot + offsetof(struct boot_block, magic)) != BOOT_MAGIC) return found;
  found.first = hal_read64(boot + offsetof(struct boot_block, devices));
  found.count = hal_read32(boot + offsetof(struct boot_block, device_count));
  return found;
}

uint32_t hal_device_count(uint32_t block) {
  const struct table all = find_table();
  uint32_t count = 0;
  for (uint32_t i = 0; i < all.count; ++i) {
    const uint64_t entry = all.first + i * sizeof(struct boot_device);
    count += hal_read32(entry + offsetof(struct boot_device, block)) == block;
  }
  return count;
}

uint64_t hal_device(uint32_t block, uint32_t instance) {
  const struct table all = find_table();
  for (uint32_t i = 0; i < all.count; ++i) {
    const uint64_t entry = all.first + i * sizeof(struct boot_device);
    if (hal_read32(entry + offsetof(struct boot_device, block)) == block &&
        hal_read32(entry + offsetof(struct boot_device, instance)) == instance) {
      return hal_read64(entry + offsetof(struct boot_device, base));
    }
  }
  hal_write32(HOST + FIRMWARE_HOST_MISSING_BLOCK, block);
  hal_write64(HOST + FIRMWARE_HOST_MISSING_LINE, (uintptr_t)__builtin_return_address(0));
  hal_write32(HOST + FIRMWARE_HOST_MISSING_INSTANCE, instance); /* ends the run */
  hal_exit(1);
}
