/* What the collectives of NVLS share: all of them move this rank's chunk between two barriers. */
#ifndef HEDDLE_COLLECTIVES_NVLS_H
#define HEDDLE_COLLECTIVES_NVLS_H

#include "collectives/communicator.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Every rank adds 1 to the counter of all ranks at once and waits for its own to show all of them.
 * What this rank has stored before is visible to those that come out. */
enum status nvls_barrier(struct communicator* comm);

/* The same among so many ranks, all that have the region. */
enum status nvls_barrier_among(struct communicator* comm, uint32_t ranks);

/* Barrier, this rank's chunk, barrier. */
enum status nvls_run(struct communicator* comm, const struct boot_job* job,
                     enum multimem_kind kind);

#ifdef __cplusplus
}
#endif

#endif
