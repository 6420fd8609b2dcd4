/* Broadcasts on a mesh. Each leaves the data of the root at all ranks. */
#ifndef HEDDLE_COLLECTIVES_MESH_BROADCAST_H
#define HEDDLE_COLLECTIVES_MESH_BROADCAST_H

#include <stdint.h>

#include "collectives/mesh_tiles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* By the routers: the transfer is set before the start mark, so that a job starts with it. */
void mesh_set_broadcast(struct mesh* mesh, const struct boot_job* job);
enum status mesh_broadcast_hw(struct mesh* mesh, const struct boot_job* job);
/* In row 0 every tile fetches from its neighbor to the left, then in all columns from the one
 * below, in batches of slot_bytes; each transfer waits for the one before (naive: one batch). */
enum status mesh_broadcast_seq(struct mesh* mesh, const struct boot_job* job, uint64_t batch);
/* Over half the row, a quarter, ...; then over the columns. A line that is no power of two begins
 * with the largest one below its length. */
enum status mesh_broadcast_tree(struct mesh* mesh, const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
