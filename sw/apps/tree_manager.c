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
  tree_manager_open(&manager);
  if (manager.boot.ranks == 0) return 0; /* no part in a workload */
  if (manager.boot.magic != BOOT_MAGIC || manager.boot.version != BOOT_VERSION) {
    hal_log(status_name(STATUS_BAD_BOOT), (uint64_t)STATUS_BAD_BOOT);
    return (int)STATUS_BAD_BOOT;
  }
  for (;;) {
    const uint32_t number = hal_next_job();
    if (number == HAL_NO_JOB) break;
    set_up(&manager, number);
  }
  return 0;
}
