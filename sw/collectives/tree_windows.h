/* How far ranks may push ahead of their flags: as the buffers of the switches have room.
 * BOOT_REPORT_BUFFER where a buffer has no room for a packet.
 */
#ifndef HEDDLE_TREE_WINDOWS_H
#define HEDDLE_TREE_WINDOWS_H

#include "collectives/tree_state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For trees over all ranks, by the switches of the planned one. */
enum boot_report tree_choose_window(struct tree_manager* m);
/* For all rails. Leaves the last rail planned. */
enum boot_report tree_choose_rail_window(struct tree_manager* m);

#ifdef __cplusplus
}
#endif

#endif
