#include "collectives/algorithms.h"
#include "collectives/collectives.h"

enum status torus_collective(struct communicator* comm, const struct boot_job* job) {
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
