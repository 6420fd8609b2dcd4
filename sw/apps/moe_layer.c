/* Runs the mixture-of-experts layers that the platform posts, one after the other. */
#include "drivers/token_hub.h"
#include "hal/boot.h"
#include "hal/hal.h"

int main(void) {
  struct boot_block boot;
  hal_read_block(&boot, hal_boot_address(), sizeof boot);
  if (boot.ranks == 0) return STATUS_OK; /* no part in a workload */
  if (boot.magic != BOOT_MAGIC || boot.version != BOOT_VERSION) return STATUS_BAD_BOOT;
  struct token_hub hub;
  token_hub_open(&hub);
  enum status status = STATUS_OK;
  while (status == STATUS_OK) {
    const uint32_t number = hal_next_job();
    if (number == HAL_NO_JOB) break;
    hal_mark(HAL_MARK_START, number);
    status = token_hub_run(&hub, boot.job);
    if (status == STATUS_OK) hal_mark(HAL_MARK_END, number);
  }
  if (status != STATUS_OK) hal_log(status_name(status), (uint64_t)status);
  return (int)status;
}
