/* Collectives on a mesh whose data is cut by ranks: chunk c belongs to rank c. Chunks are those of
 * partition.h, each of whole words.
 */
#ifndef HEDDLE_COLLECTIVES_MESH_CHUNKS_H
#define HEDDLE_COLLECTIVES_MESH_CHUNKS_H

#include "collectives/mesh_tiles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Leaves the sum of chunk r at rank r, by reductions in columns and then in rows (hw), by copies of
 * all chunks to their ranks (naive), or by halves, quarters, ... of the data (tree). */
enum status mesh_reduce_scatter(struct mesh* mesh, const struct boot_job* job);
/* Leaves chunk r of rank r at all ranks: multicasts of all at a time, copies, or by doubles. */
enum status mesh_allgather(struct mesh* mesh, const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
