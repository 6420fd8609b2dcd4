/* A job's share of a tree: what the switches do with it, and why they cannot. */
#ifndef HEDDLE_TREE_JOBS_H
#define HEDDLE_TREE_JOBS_H

#include <stdint.h>

#include "collectives/tree_state.h"
#include "drivers/aggregator.h"

#ifdef __cplusplus
extern "C" {
#endif

enum aggregator_mode tree_mode_of(const struct boot_job* job);
int tree_mode_adds(enum aggregator_mode mode);
/* Arms a tree for its share of a job, or returns why it cannot take it. */
enum boot_report tree_arm(struct tree_manager* m, const struct boot_job* job, uint32_t tree,
                          enum aggregator_mode mode, struct tree_share share);

#ifdef __cplusplus
}
#endif

#endif
