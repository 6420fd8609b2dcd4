/* What the parts of the tree manager share. Trees go by number: TREE_MOST over all ranks, then the
 * second phase, then a rail for each rank of a pod. Most parts work on the planned tree, m->plan,
 * which tree_make_plan() sets: a manager has room for one plan.
 */
#ifndef HEDDLE_COLLECTIVES_TREE_MANAGER_INTERNAL_H
#define HEDDLE_COLLECTIVES_TREE_MANAGER_INTERNAL_H

#include <stdint.h>

#include "collectives/tree_manager.h"
#include "drivers/aggregator.h"
#include "drivers/status.h"

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

/* Roots (tree_roots.c). Both choose roots of the lowest trees and spread them over all switches
 * that can be one; BOOT_REPORT_NO_AGGREGATOR where none reaches all ranks of the tree. */

/* Sets m->trees to `wanted`, 0: as many as suit the network, or to what there is room for. */
enum boot_report tree_choose_roots(struct tree_manager* m, uint32_t wanted);
/* For each of m->rails. */
enum boot_report tree_choose_rail_roots(struct tree_manager* m);
/* Plans the tree from the root that was chosen for it. */
void tree_make_plan(struct tree_manager* m, uint32_t tree);
/* Whether every switch of the planned tree has reduction units. */
int tree_plan_reduces(const struct tree_manager* m);

/* Windows (tree_windows.c). BOOT_REPORT_BUFFER where a buffer has no room for a packet. */

/* For trees over all ranks, by the switches of the planned one. */
enum boot_report tree_choose_window(struct tree_manager* m);
/* For all rails. Leaves the last rail planned. */
enum boot_report tree_choose_rail_window(struct tree_manager* m);

/* Groups of the planned tree (tree_groups.c). */

/* One in each switch, or BOOT_REPORT_GROUPS and none. */
enum boot_report tree_allocate_groups(struct tree_manager* m, uint32_t tree);
void tree_program_groups(struct tree_manager* m, uint32_t tree);
void tree_release_groups(const struct tree_manager* m, uint32_t tree);
/* Address of the tree's group in a switch, on the fabric. */
uint64_t tree_window_of(const struct tree_manager* m, uint32_t tree, uint32_t index);
/* Offset of a flag in the window of every rank. */
uint64_t tree_flag_offset(const struct tree_manager* m, uint32_t flag);

/* Streams of the planned tree (tree_streams.c). */

/* Arms all groups, until one of them refuses. `root`: the rank that mode ROOT is for. */
enum status tree_arm_groups(const struct tree_manager* m, uint32_t tree,
                            struct aggregator_stream* stream, uint32_t root);
void tree_reset_groups(const struct tree_manager* m, uint32_t tree);
/* Mode SCATTER: which bytes of the job go to which child. */
void tree_set_parts(const struct tree_manager* m, const struct boot_job* job, uint32_t tree);

/* Self-test (tree_self_test.c) of the planned tree, whose groups are programmed. The packet is a
 * reduction: a tree with a switch that only copies is not tested. BOOT_REPORT_SELF_TEST where it
 * does not come back. */
enum boot_report tree_test(const struct tree_manager* m, uint32_t tree);

/* Making (tree_making.c): all trees, or none and the reason, which is kept. */

/* Over all ranks, as many as tree_choose_roots() says. Through switches that reduce; where there
 * are none, jobs that only copy do without. */
enum boot_report tree_make_all(struct tree_manager* m, uint32_t wanted, int only_copy);
enum boot_report tree_make_rails(struct tree_manager* m, uint32_t rails);
/* A single one, whose root is chosen. */
enum boot_report tree_make(struct tree_manager* m, uint32_t tree);

/* Jobs (tree_jobs.c). */

enum aggregator_mode tree_mode_of(const struct boot_job* job);
int tree_mode_adds(enum aggregator_mode mode);
/* Arms a tree for its share of a job, or returns why it cannot take it. */
enum boot_report tree_arm(struct tree_manager* m, const struct boot_job* job, uint32_t tree,
                          enum aggregator_mode mode, struct tree_share share);

#endif
