/* What the collectives on a mesh ask of a job: where its data comes from; and the report that its
 * algorithm does not do its collective.
 */
#ifndef HEDDLE_COLLECTIVES_MESH_JOB_H
#define HEDDLE_COLLECTIVES_MESH_JOB_H

#include <stdint.h>

#include "collectives/mesh_tiles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether what is passed on comes from the memory tile of row 0: in a broadcast, where there is
 * one; the root has put its data there before the start mark. */
int mesh_has_source(const struct mesh* mesh, const struct boot_job* job);
/* Where it comes from: there, or at the root. */
uint64_t mesh_source(const struct mesh* mesh, const struct boot_job* job);

/* Logs that the job's algorithm does not do its collective; returns STATUS_UNSUPPORTED. */
enum status mesh_unsupported(const struct boot_job* job);

#ifdef __cplusplus
}
#endif

#endif
