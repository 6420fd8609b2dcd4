#include "collectives/algorithms.h"
#include "collectives/collectives.h"
#include "collectives/scin.h"

enum status scin_run(struct communicator* comm, const struct boot_job* job) {
  switch (job->collective) {
    case BOOT_ALLREDUCE:
    case BOOT_REDUCE_SCATTER:
    case BOOT_ALLGATHER:
    case BOOT_BROADCAST:
    case BOOT_REDUCE:
    case BOOT_BARRIER:
      return scin_collective(&comm->scin, &comm->boot, job);
    default:
      return collective_unsupported(job);
  }
}
