/* The core that manages the aggregation trees of a workload, ahead of its ranks. */
#include "collectives/tree_manager.h"

#include "collectives/algorithms.h"
#include "hal/hal.h"

static void set_up(struct tree_manager* manager, uint32_t number) {
  struct boot_job job;
  uint64_t report = BOOT_REPORT_OK;
  hal_read_block(&job, manager->boot.job, sizeof job);
  const int is_ours = job.algorithm == BOOT_TREE || job.algorithm == BOOT_TREE_TWO_PHASE ||
                      job.algorithm == BOOT_SCATTER_GATHER || job.algorithm == BOOT_NVLS_TREE;
  if (is_ours) report = tree_manager_set_up(manager, &job);
  hal_write64(manager->boot.job + BOOT_REPORT_OFFSET, report);
  hal_fence();
  hal_mark(HAL_MARK_END, number); /* the ranks may begin */
}

int main(void) {
  struct tree_manager manager;
  const enum status status = tree_manager_open(&manager);
  if (status == STATUS_NO_PART) return 0;
  while (status == STATUS_OK) {
    const uint32_t number = hal_next_job();
    if (number == HAL_NO_JOB) break;
    set_up(&manager, number);
  }
  if (status != STATUS_OK) hal_log(status_name(status), (uint64_t)status);
  return (int)status;
}
