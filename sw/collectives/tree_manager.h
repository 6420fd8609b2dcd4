/* The core that manages aggregation trees: it learns what the switches are joined to, plans one or
 * several trees over them, programs the groups from the root down, tests each tree with a packet,
 * and tells every rank where it pushes. Before each job it arms the groups. Where ranks form pods
 * (nvls_tree_allreduce.c), there is a tree for each of the ranks of a pod, over those of that
 * number in all pods.
 *
 * A broadcast, an all-gather and an all-to-all need switches that copy; their trees may lead over
 * switches without reduction units.
 *
 * Limitations: the trees of a workload are made once, for the first job that wants them, where
 * switches reduce through those; what is cut by ranks (reduce-scatter, all-gather) goes through one
 * tree; a tree with a switch that only copies is not tested.
 */
#ifndef HEDDLE_TREE_MANAGER_H
#define HEDDLE_TREE_MANAGER_H

#include "collectives/tree_state.h"
#include "hal/boot.h"

#ifdef __cplusplus
extern "C" {
#endif

/* STATUS_NO_PART: this core has no part in a workload. */
enum status tree_manager_open(struct tree_manager* manager);

/* Makes the trees if there are none yet, and arms them for the job. */
enum boot_report tree_manager_set_up(struct tree_manager* manager, const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
