/* Commands of dynamic multimem from firmware, through the hub's ring. Commands are written in
 * batches, each with a doorbell. When they are done shows in what becomes ready
 * (drivers/token_hub.h).
 *
 * Limitations: one core owns the ring.
 */
#ifndef HEDDLE_DYMULTIMEM_H
#define HEDDLE_DYMULTIMEM_H

#include <stdint.h>

#include "drivers/dymultimem_command.h"
#include "drivers/status.h"

#define DYMULTIMEM_BATCH 16u

#ifdef __cplusplus
extern "C" {
#endif

struct dymultimem {
  uint64_t registers;
  uint64_t ring;
  uint32_t entries;
  uint32_t posted;  /* free-running, as the hub's counts; those of the batch among them */
  uint32_t taken;   /* as last read */
  uint32_t batched; /* commands that are not in the ring yet, the last ones */
  struct dymultimem_command batch[DYMULTIMEM_BATCH];
};

/* `ring`: memory for `entries` commands. STATUS_BAD_JOB, with a log, unless they are a power of
 * two, as the hub asks, and a batch at least. */
enum status dymultimem_open(struct dymultimem* dy, uint64_t ring, uint32_t entries);
/* For how many commands there is room: at least a batch, or as many as the hub has left. */
uint32_t dymultimem_room(struct dymultimem* dy);
/* Stores the vector at `value` to the experts of the list. Needs room. */
void dymultimem_st(struct dymultimem* dy, uint64_t address, uint64_t value, uint32_t count,
                   uint64_t list);
/* Loads the sum of the experts' vectors to `value`. Needs room. */
void dymultimem_ld_reduce(struct dymultimem* dy, uint64_t value, uint64_t address, uint32_t count,
                          uint64_t list);
/* Starts what waits for its batch to be full. */
void dymultimem_flush(struct dymultimem* dy);

#ifdef __cplusplus
}
#endif

#endif
