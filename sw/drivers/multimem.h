/* Driver of the multimem unit: loads from a multicast region that the network reduces, stores that
 * it spreads. One operation at a time.
 *
 * Limitations: one core owns the unit. Completion is polled; an operation that fails does not
 * complete, so it shows as a poll that times out, and its reason is read then.
 */
#ifndef HEDDLE_MULTIMEM_H
#define HEDDLE_MULTIMEM_H

#include <stdint.h>

#include "drivers/status.h"
#include "hal/boot.h"

#ifdef __cplusplus
extern "C" {
#endif

struct multimem {
  uint64_t registers;
  uint64_t timeout_ns;
  uint32_t started; /* free-running, like the unit's count of completed operations */
};

void multimem_open(struct multimem* multimem, const struct boot_block* boot);

/* What a transfer does with each block of its bytes. */
enum multimem_kind {
  MULTIMEM_LD_REDUCE = 0,  /* load from the region, reduced, into memory */
  MULTIMEM_ST = 1,         /* store from memory to all members */
  MULTIMEM_ALL_REDUCE = 3, /* load reduced, store the result to all members */
};

struct multimem_transfer {
  enum multimem_kind kind;
  uint32_t dtype; /* enum boot_dtype */
  uint32_t op;    /* enum boot_op */
  uint64_t destination;
  uint64_t source;
  uint64_t bytes; /* whole elements; 0 is nothing to do */
};

/* Runs the transfer and waits until its last byte is visible at all members;
 * STATUS_BAD_JOB when there is no such type or operator. */
enum status multimem_run(struct multimem* multimem, const struct multimem_transfer* transfer);

#ifdef __cplusplus
}
#endif

#endif
