/* A tree over the switches that a manager has found: the shortest ways from a root to all ranks. */
#ifndef HEDDLE_TREE_PLAN_H
#define HEDDLE_TREE_PLAN_H

#include <stdint.h>

#include "collectives/tree_network.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tree_plan {
  uint32_t switches;                   /* of the tree */
  uint16_t order[TREE_MOST_SWITCHES];  /* they, the root first, those above before those below */
  uint16_t parent[TREE_MOST_SWITCHES]; /* by switch; TREE_NOBODY: the root, or not in the tree */
  uint16_t depth[TREE_MOST_SWITCHES];  /* by switch; TREE_NOBODY: not in the tree */
  uint16_t first[TREE_MOST_SWITCHES];  /* by switch: lowest and highest rank below it, and how */
  uint16_t last[TREE_MOST_SWITCHES];   /* many there are */
  uint16_t below[TREE_MOST_SWITCHES];
  uint16_t leaf[TREE_MOST_RANKS]; /* by rank: the switch that it pushes to; TREE_NOBODY: none */
  uint16_t deepest;
};

/* The ranks of a tree: every `stride`-th from `first` on. */
struct tree_ranks {
  uint32_t first;
  uint32_t stride;
};

/* Returns 0 where some of the ranks is not reached from that root over switches that can take part.
 * `may_take_part`: by switch, whether it may be in a tree. */
int tree_plan_from(struct tree_plan* plan, const struct tree_network* network,
                   const uint8_t* may_take_part, struct tree_ranks ranks, uint32_t root);

/* Whether what is at that port of a switch is its child in the tree; the first port counts where
 * several lead there. Children are in the order of their ports. */
int tree_is_child(const struct tree_plan* plan, const struct tree_network* network,
                  uint32_t at_switch, uint32_t port);

/* Whether the ranks below every switch follow each other, so that each has one part of a stream. */
int tree_keeps_ranks_together(const struct tree_plan* plan);

#ifdef __cplusplus
}
#endif

#endif
