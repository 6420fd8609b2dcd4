/* Rank 0 runs the bug whose number the job carries in `iterations`. */
#include "bugs.h"

static int run_bug(const struct boot_block* boot, uint32_t number) {
  if (number < 30) return run_dma_bug(boot, number);
  if (number < 50) return run_vector_bug(boot, number);
  if (number < 60) return run_multimem_bug(boot, number);
  return run_isa_bug(boot, number);
}

int main(void) {
  struct boot_block boot;
  struct boot_job job;
  hal_read_block(&boot, hal_boot_address(), sizeof boot);
  if (hal_next_job() == HAL_NO_JOB) return 0;
  if (boot.rank == 0) {
    hal_read_block(&job, boot.job, sizeof job);
    const int code = run_bug(&boot, job.iterations);
    if (code != 0) return code;
  }
  hal_mark(HAL_MARK_START, 0);
  hal_mark(HAL_MARK_END, 0);
  return 0;
}
