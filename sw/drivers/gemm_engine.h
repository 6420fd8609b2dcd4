/* Driver of a cluster's GEMM engine: C = A B or C = C + A B on FP64 tiles in the L1, one operation
 * at a time.
 *
 * Limitations: one core owns the engine. Completion is polled; an operation that fails does not
 * complete, so it shows as a poll that times out, and its reason is read then.
 */
#ifndef HEDDLE_GEMM_ENGINE_H
#define HEDDLE_GEMM_ENGINE_H

#include <stdint.h>

#include "drivers/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gemm_engine {
  uint64_t registers;
  uint64_t timeout_ns;
  uint32_t started; /* free-running, like the engine's count of completed operations */
};

void gemm_engine_open(struct gemm_engine* engine, uint64_t registers, uint64_t timeout_ns);

/* Of the operations to come: C is rows x columns, A rows x depth, B depth x columns. */
void gemm_engine_set_shape(const struct gemm_engine* engine, uint32_t rows, uint32_t columns,
                           uint32_t depth);

struct gemm_operation {
  uint64_t c, a, b; /* addresses */
  int adds;         /* to what C holds; else C is written anew */
};
/* The engine must be idle. */
void gemm_engine_start(struct gemm_engine* engine, const struct gemm_operation* operation);

/* Waits for the operation last started. */
enum status gemm_engine_wait(const struct gemm_engine* engine);

#ifdef __cplusplus
}
#endif

#endif
