/* The control plane of the racks: programs every ToR before each gather, ahead of the nodes. */
#include "drivers/boot_block.h"
#include "drivers/tor.h"
#include "hal/hal.h"
#include "kernels/gather_job.h"
#include "regs/tor_regs.h"

static enum status set_up(const struct boot_block* boot, uint32_t number) {
  struct gather_job job;
  struct tor_kernel kernel;
  enum status status = STATUS_OK;
  hal_read_block(&job, boot->job, sizeof job);
  kernel.number = job.kernel;
  kernel.length = job.length;
  kernel.is_enabled = (job.features & GATHER_SWITCH) != 0;
  kernel.caches = kernel.is_enabled;
  kernel.inserts_all = (job.features & GATHER_CACHE_ALL) != 0;
  kernel.delay = job.switch_delay;
  for (uint32_t i = 0; i < hal_device_count(TOR_BLOCK_ID) && status == STATUS_OK; ++i)
    status = tor_set_kernel(hal_device(TOR_BLOCK_ID, i), &kernel, boot->timeout_ns);
  hal_fence();
  if (status == STATUS_OK) hal_mark(HAL_MARK_END, number); /* the nodes may begin */
  return status;
}

int main(void) {
  struct boot_block boot;
  enum status status = boot_open(&boot);
  if (status == STATUS_NO_PART) return 0;
  while (status == STATUS_OK) {
    const uint32_t number = hal_next_job();
    if (number == HAL_NO_JOB) break;
    status = set_up(&boot, number);
  }
  if (status != STATUS_OK) hal_log(status_name(status), (uint64_t)status);
  return (int)status;
}
