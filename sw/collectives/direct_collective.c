#include "collectives/algorithms.h"
#include "collectives/collectives.h"

enum status direct_collective(struct communicator* comm, const struct boot_job* job) {
  switch (job->collective) {
    case BOOT_ALLREDUCE:
      return direct_allreduce(comm, job);
    case BOOT_ALLTOALL:
      return direct_alltoall(comm, job);
    default:
      return collective_unsupported(job);
  }
}
