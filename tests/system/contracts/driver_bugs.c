/* Rank 0 runs the bug whose number the job carries in `iterations`. */
#include "bugs.h"

int main(void) {
  struct boot_block boot;
  struct boot_job job;
  hal_read_block(&boot, hal_boot_address(), sizeof boot);
  if (hal_next_job() == HAL_NO_JOB || boot.rank != 0) return 0;
  hal_read_block(&job, boot.job, sizeof job);
  if (job.iterations < 30) return run_dma_bug(&boot, job.iterations);
  if (job.iterations < 50) return run_vector_bug(&boot, job.iterations);
  if (job.iterations < 60) return run_multimem_bug(&boot, job.iterations);
  return run_isa_bug(&boot, job.iterations);
}
