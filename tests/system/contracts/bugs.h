/* Drivers with one bug each. The line that is to blame says so: bug NUMBER. */
#ifndef HEDDLE_TESTS_BUGS_H
#define HEDDLE_TESTS_BUGS_H

#include "drivers/dma_descriptor.h"
#include "hal/boot.h"
#include "hal/hal.h"

/* Each runs the bug of that number, if it is one of its own. */
int run_dma_bug(const struct boot_block* boot, uint32_t bug);
int run_vector_bug(const struct boot_block* boot, uint32_t bug);
int run_multimem_bug(const struct boot_block* boot, uint32_t bug);
int run_isa_bug(const struct boot_block* boot, uint32_t bug);

#endif
