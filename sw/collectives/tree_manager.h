/* The core that manages aggregation trees: it learns what the switches are joined to, plans one or
 * several trees over them, programs the groups from the root down, tests each tree with a packet,
 * and tells every rank where it pushes. Before each job it arms the groups.
 *
 * Limitations: the trees of a workload are made once, for the first job that wants them; what is
 * cut by ranks (reduce-scatter, all-gather) goes through one tree.
 */
#ifndef HEDDLE_TREE_MANAGER_H
#define HEDDLE_TREE_MANAGER_H

#include <stdint.h>

#include "collectives/tree.h"
#include "collectives/tree_plan.h"
#include "hal/boot.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tree_manager {
  struct boot_block boot;
  struct tree_network network;
  struct tree_plan plan; /* of the tree at hand */
  uint32_t trees;        /* that are programmed, the second phase aside */
  int has_second_phase;
  enum boot_report failed; /* why there are none, once that is known */
  uint16_t root[TREE_SLOTS];
  uint8_t group[TREE_SLOTS][TREE_MOST_SWITCHES]; /* by tree and switch */
  uint32_t segment;
  uint32_t segments; /* of a window */
};

void tree_manager_open(struct tree_manager* manager);

/* Makes the trees if there are none yet, and arms them for the job. */
enum boot_report tree_manager_set_up(struct tree_manager* manager, const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
