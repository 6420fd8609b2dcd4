#include "collectives/algorithms.h"
#include "collectives/collectives.h"

enum status run_collective(struct communicator* comm, const struct boot_job* job) {
  comm->how = (job->flags & BOOT_JOB_ORDERED) != 0 ? DMA_ORDERED : DMA_FENCE;
  switch (job->algorithm) {
#define CALL(name, number, function) \
  case BOOT_##name:                  \
    return function(comm, job);
    /* NOLINTNEXTLINE(bugprone-branch-clone): two algorithms may share a function */
    COLLECTIVE_ALGORITHMS(CALL)
#undef CALL
    default:
      return collective_unsupported(job);
  }
}
