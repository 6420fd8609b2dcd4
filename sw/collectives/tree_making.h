/* From the network to trees that ranks can push into: found, planned, programmed and tested. All
 * trees, or none and the reason, which is kept.
 */
#ifndef HEDDLE_TREE_MAKING_H
#define HEDDLE_TREE_MAKING_H

#include <stdint.h>

#include "collectives/tree_state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Over all ranks, as many as tree_choose_roots() says. Through switches that reduce; where there
 * are none, jobs that only copy do without. */
enum boot_report tree_make_all(struct tree_manager* m, uint32_t wanted, int only_copy);
enum boot_report tree_make_rails(struct tree_manager* m, uint32_t rails);
/* A single one, whose root is chosen. */
enum boot_report tree_make(struct tree_manager* m, uint32_t tree);

#ifdef __cplusplus
}
#endif

#endif
