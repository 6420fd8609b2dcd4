/* The groups of the planned tree: a switch has one for each tree that leads over it. */
#ifndef HEDDLE_TREE_GROUPS_H
#define HEDDLE_TREE_GROUPS_H

#include <stdint.h>

#include "collectives/tree_state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One in each switch, or BOOT_REPORT_GROUPS and none. */
enum boot_report tree_allocate_groups(struct tree_manager* m, uint32_t tree);
void tree_program_groups(struct tree_manager* m, uint32_t tree);
void tree_release_groups(const struct tree_manager* m, uint32_t tree);
/* Address of the tree's group in a switch, on the fabric. */
uint64_t tree_window_of(const struct tree_manager* m, uint32_t tree, uint32_t index);
/* Offset of a flag in the window of every rank. */
uint64_t tree_flag_offset(const struct tree_manager* m, uint32_t flag);

#ifdef __cplusplus
}
#endif

#endif
