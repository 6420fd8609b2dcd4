#include "collectives/algorithms.h"
#include "collectives/collectives.h"
#include "collectives/torus.h"
#include "hal/hal.h"

enum status torus_collective(struct communicator* comm, const struct boot_job* job) {
  const struct torus torus = torus_of(job->sides);
  if (torus_ranks(&torus) != comm->boot.ranks) {
    hal_log("torus: its sides have not as many places as there are ranks, but",
            torus_ranks(&torus));
    return STATUS_BAD_JOB;
  }
  switch (job->collective) {
    case BOOT_ALLREDUCE:
    case BOOT_REDUCE_SCATTER:
    case BOOT_ALLGATHER:
      return torus_rings(comm, job);
    case BOOT_BROADCAST:
      return torus_broadcast(comm, job);
    default:
      return collective_unsupported(job);
  }
}
