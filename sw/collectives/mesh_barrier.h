/* Barriers of the ranks, of the mesh or of a line. */
#ifndef HEDDLE_COLLECTIVES_MESH_BARRIER_H
#define HEDDLE_COLLECTIVES_MESH_BARRIER_H

#include "collectives/mesh_tiles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All ranks write to one word; LsbAnd merges the writes, and the answer comes when all have. Where
 * masks cannot name the ranks it is the software barrier. */
void mesh_barrier(struct mesh* mesh);
/* The same between two steps of a collective, and what the loop around them takes. */
void mesh_next_step(struct mesh* mesh);
/* A counter in rank 0, which polls it and interrupts all, by a multicast or one after the other.
 * Where somebody does not come, it interrupts nobody, and its job ends with STATUS_TIMEOUT. The
 * interrupts of the others may still be on their way: hal_fence() before the next barrier. */
void mesh_software_barrier(struct mesh* mesh);

#ifdef __cplusplus
}
#endif

#endif
