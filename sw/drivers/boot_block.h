/* What a core that runs workloads does first: it reads its boot block (hal/boot.h), and looks
 * whether it has one.
 */
#ifndef HEDDLE_BOOT_BLOCK_H
#define HEDDLE_BOOT_BLOCK_H

#include "drivers/status.h"
#include "hal/boot.h"

#ifdef __cplusplus
extern "C" {
#endif

/* STATUS_NO_PART: this core has no part in a workload. STATUS_BAD_BOOT, with a log of what is
 * wrong: the block is of another version, or its rank is none of the ranks. */
enum status boot_open(struct boot_block* boot);

#ifdef __cplusplus
}
#endif

#endif
