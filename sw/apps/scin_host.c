/* The core that sets jobs up for the in-switch accelerators, ahead of the ranks. */
#include "collectives/algorithms.h"
#include "collectives/scin.h"
#include "drivers/boot_block.h"
#include "hal/hal.h"

/* An accelerator that refuses an instruction raises its interrupt. */
static enum status push(const struct scin* scin, const struct boot_block* boot,
                        const struct boot_job* job) {
  const enum status status = scin_push(scin, boot, job);
  hal_fence(); /* the instructions have reached them */
  return status == STATUS_OK && hal_interrupt_pending() ? scin_check(scin) : status;
}

static enum status set_up(struct scin* scin, const struct boot_block* boot, uint32_t number) {
  struct boot_job job;
  hal_read_block(&job, boot->job, sizeof job);
  const int is_by_accelerators = job.algorithm == BOOT_SCIN || job.algorithm == BOOT_SCIN_INQ;
  enum status status = is_by_accelerators ? scin_adapt(scin, boot, &job) : STATUS_OK;
  if (status == STATUS_OK && is_by_accelerators && (job.flags & BOOT_JOB_ON_DEMAND) == 0) {
    status = push(scin, boot, &job);
  }
  if (status == STATUS_OK) hal_mark(HAL_MARK_END, number); /* the ranks may begin */
  return status;
}

int main(void) {
  struct boot_block boot;
  struct scin scin;
  enum status status = boot_open(&boot);
  if (status == STATUS_NO_PART) return 0;
  if (status == STATUS_OK) status = scin_open(&scin, &boot, 1);
  if (status == STATUS_OK) scin_set_up(&scin, &boot);
  while (status == STATUS_OK) {
    const uint32_t number = hal_next_job();
    if (number == HAL_NO_JOB) break;
    status = set_up(&scin, &boot, number);
  }
  if (status != STATUS_OK) hal_log(status_name(status), (uint64_t)status);
  return (int)status;
}
