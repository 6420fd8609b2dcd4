/* What a manager of aggregation trees knows from one job to the next. Trees go by number: TREE_MOST
 * over all ranks, then the second phase, then a rail for each rank of a pod. Most parts of the
 * manager work on the planned tree, m->plan, which tree_make_plan() sets: there is room for one
 * plan.
 */
#ifndef HEDDLE_TREE_STATE_H
#define HEDDLE_TREE_STATE_H

#include <stdint.h>

#include "collectives/tree.h"
#include "collectives/tree_network.h"
#include "collectives/tree_plan.h"
#include "hal/boot.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TREE_MOST_RAILS = 96,        /* trees of pods: ranks of a pod */
  TREE_FIRST_RAIL = TREE_RAIL, /* they are numbered behind the other trees */
  TREE_ALL = TREE_FIRST_RAIL + TREE_MOST_RAILS,
};

/* How far ranks may push ahead of their flags. */
struct tree_window {
  uint32_t segment; /* the longest */
  uint32_t bytes;
};

struct tree_manager {
  struct boot_block boot;
  struct tree_network network;
  uint8_t may_reduce[TREE_MOST_SWITCHES];
  uint8_t may_copy[TREE_MOST_SWITCHES];
  uint64_t longest_stream; /* bytes that fit into the window of a group of any switch */
  struct tree_plan plan;   /* of the tree at hand */
  uint32_t trees;          /* that are programmed, the second phase aside */
  uint32_t rails;          /* that are programmed */
  int has_second_phase;
  int trees_only_copy; /* they may lead over switches without reduction units */
  /* Why there are none, once that is known. */
  enum boot_report trees_failed, rails_failed;
  uint16_t root[TREE_ALL];
  uint8_t group[TREE_ALL][TREE_MOST_SWITCHES]; /* by tree and switch */
  struct tree_window window;                   /* of trees over all ranks */
  struct tree_window rail_window;              /* of those of pods */
};

static inline int tree_is_rail(uint32_t tree) {
  return tree >= TREE_FIRST_RAIL;
}

/* Which of a rank's flags and places are those of the tree. */
static inline uint32_t tree_slot_of(uint32_t tree) {
  return tree_is_rail(tree) ? TREE_RAIL : tree;
}

static inline const struct tree_window* tree_window_for(const struct tree_manager* m,
                                                        uint32_t tree) {
  return tree_is_rail(tree) ? &m->rail_window : &m->window;
}

#ifdef __cplusplus
}
#endif

#endif
