/* All-to-all on a mesh, by unicast traffic. */
#ifndef HEDDLE_COLLECTIVES_MESH_ALLTOALL_H
#define HEDDLE_COLLECTIVES_MESH_ALLTOALL_H

#include "collectives/mesh_tiles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rank r's chunk c goes to rank c as its chunk r, one transfer after the other. */
enum status mesh_alltoall(struct mesh* mesh, const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
