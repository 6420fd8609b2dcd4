/* Rank 0 runs the bug whose number the job carries in `iterations`. */
#include "bugs.h"
#include "regs/dma_regs.h"
#include "regs/isa_regs.h"
#include "regs/multimem_regs.h"
#include "regs/vector_regs.h"

static int run_bug(const struct bug_bench* on, uint32_t number) {
  if (number < 30) return run_dma_bug(on, number);
  if (number < 50) return run_vector_bug(on, number);
  if (number < 60) return run_multimem_bug(on, number);
  if (number < 70 || number > 126) return run_isa_bug(on, number);
  return run_buffer_bug(on, number);
}

int main(void) {
  struct bug_bench bench = {.dma = hal_device(DMA_BLOCK_ID, 0),
                            .vector = hal_device(VECTOR_BLOCK_ID, 0),
                            .multimem = hal_device(MULTIMEM_BLOCK_ID, 0),
                            .isa = hal_device(ISA_BLOCK_ID, 0)};
  struct boot_job job;
  hal_read_block(&bench.boot, hal_boot_address(), sizeof bench.boot);
  if (hal_next_job() == HAL_NO_JOB) return 0;
  if (bench.boot.rank == 0) {
    hal_read_block(&job, bench.boot.job, sizeof job);
    const int code = run_bug(&bench, job.iterations);
    if (code != 0) return code;
  }
  hal_mark(HAL_MARK_START, 0);
  hal_mark(HAL_MARK_END, 0);
  return 0;
}
