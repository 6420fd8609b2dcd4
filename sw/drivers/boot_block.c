#include "drivers/boot_block.h"

#include "hal/hal.h"

enum status boot_open(struct boot_block* boot) {
  hal_read_block(boot, hal_boot_address(), sizeof *boot);
  if (boot->ranks == 0) return STATUS_NO_PART;
  if (boot->magic != BOOT_MAGIC || boot->version != BOOT_VERSION) {
    hal_log("boot: not a boot block of this version", (uint64_t)boot->version << 32 | boot->magic);
    return STATUS_BAD_BOOT;
  }
  if (boot->rank >= boot->ranks) {
    hal_log("boot: rank out of range", boot->rank);
    return STATUS_BAD_BOOT;
  }
  return STATUS_OK;
}
