/* Where trees begin, and which switches they lead over. Roots are those of the lowest trees, spread
 * over all switches that can be one; BOOT_REPORT_NO_AGGREGATOR where none reaches all ranks of the
 * tree.
 */
#ifndef HEDDLE_TREE_ROOTS_H
#define HEDDLE_TREE_ROOTS_H

#include <stdint.h>

#include "collectives/tree_state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets m->trees to `wanted`, 0: as many as suit the network, or to what there is room for. */
enum boot_report tree_choose_roots(struct tree_manager* m, uint32_t wanted);
/* For each of m->rails. */
enum boot_report tree_choose_rail_roots(struct tree_manager* m);
/* Plans the tree from the root that was chosen for it. */
void tree_make_plan(struct tree_manager* m, uint32_t tree);
/* Whether every switch of the planned tree has reduction units. */
int tree_plan_reduces(const struct tree_manager* m);

#ifdef __cplusplus
}
#endif

#endif
