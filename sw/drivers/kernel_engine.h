/* Driver of the engine that runs kernels on a GPU's streaming multiprocessors. One list at a time;
 * its end is told by an interrupt, and the core is free between start and wait.
 *
 * Limitations: one core owns the engine; an error is final.
 */
#ifndef HEDDLE_KERNEL_ENGINE_H
#define HEDDLE_KERNEL_ENGINE_H

#include <stdint.h>

#include "drivers/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct kernel_engine {
  uint64_t registers;
  uint32_t started; /* free-running, like the engine's count of completed lists */
};

/* Kernels (drivers/kernel_list.h) that lie one behind the other from `address` on. */
struct kernel_list {
  uint64_t address;
  uint32_t kernels;
  uint32_t tag; /* for whoever watches the engine: the engine makes nothing of it */
};

void kernel_engine_open(struct kernel_engine* engine);

/* Starts the list; the engine is idle. */
void kernel_engine_start(struct kernel_engine* engine, const struct kernel_list* list);

/* Waits for the list that was started last. STATUS_KERNEL_ERROR, with a log, when the engine has
 * refused it. */
enum status kernel_engine_wait(struct kernel_engine* engine);

#ifdef __cplusplus
}
#endif

#endif
