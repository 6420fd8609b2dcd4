/* Streams of the planned tree: its groups are armed from the root down, so that a switch may push
 * as soon as it is armed itself.
 */
#ifndef HEDDLE_TREE_STREAMS_H
#define HEDDLE_TREE_STREAMS_H

#include <stdint.h>

#include "collectives/tree_state.h"
#include "drivers/aggregator.h"
#include "drivers/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Arms all groups, until one of them refuses. `root`: the rank that mode ROOT is for. */
enum status tree_arm_groups(const struct tree_manager* m, uint32_t tree,
                            struct aggregator_stream* stream, uint32_t root);
void tree_reset_groups(const struct tree_manager* m, uint32_t tree);
/* Mode SCATTER: which bytes of the job go to which child. */
void tree_set_parts(const struct tree_manager* m, const struct boot_job* job, uint32_t tree);

#ifdef __cplusplus
}
#endif

#endif
