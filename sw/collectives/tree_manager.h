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

#include <stdint.h>

#include "collectives/tree.h"
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

void tree_manager_open(struct tree_manager* manager);

/* Makes the trees if there are none yet, and arms them for the job. */
enum boot_report tree_manager_set_up(struct tree_manager* manager, const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
