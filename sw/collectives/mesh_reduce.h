/* Reductions on a mesh. Each leaves the sum at the root; at the others, tree and seq leave partial
 * sums.
 */
#ifndef HEDDLE_COLLECTIVES_MESH_REDUCE_H
#define HEDDLE_COLLECTIVES_MESH_REDUCE_H

#include "collectives/mesh_tiles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What routers do with the job's type and operator, which its descriptor has checked. */
enum mesh_dma_op mesh_operation_of(const struct boot_job* job);

/* By the routers: the transfer is set before the start mark, as that of a broadcast is. */
void mesh_set_reduce(struct mesh* mesh, const struct boot_job* job);
enum status mesh_reduce_hw(struct mesh* mesh, const struct boot_job* job);
/* By pairs at the distances 1, 2, ..., batches of slot_bytes sent while others are added (naive:
 * one batch). */
enum status mesh_reduce_tree(struct mesh* mesh, const struct boot_job* job);
/* From the last place of each row to its first, then along the root's column, in batches of
 * slot_bytes. For rank 0 these are the far end and column 0. For another root the place of a tile,
 * here and in the tree, is the XOR of its coordinates and the root's, so that pairs are as far
 * apart; in a line that is no power of two, how far behind the root it is, around the end. */
enum status mesh_reduce_seq(struct mesh* mesh, const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
