/* Drivers with one bug each. The line that is to blame says so: bug NUMBER. */
#ifndef HEDDLE_TESTS_BUGS_H
#define HEDDLE_TESTS_BUGS_H

#include "drivers/dma_descriptor.h"
#include "hal/boot.h"
#include "hal/hal.h"

/* What the bugs have at hand: looked up before, because some depend on what happens shortly after.
 */
struct bug_bench {
  struct boot_block boot;
  uint64_t dma, vector, multimem, isa; /* registers; the accelerator's only on rank 0's bus */
};

/* Each runs the bug of that number, if it is one of its own. */
int run_dma_bug(const struct bug_bench* on, uint32_t bug);
int run_vector_bug(const struct bug_bench* on, uint32_t bug);
int run_multimem_bug(const struct bug_bench* on, uint32_t bug);
int run_isa_bug(const struct bug_bench* on, uint32_t bug);
int run_buffer_bug(const struct bug_bench* on, uint32_t bug);

#endif
