#include "collectives/algorithms.h"
#include "collectives/collectives.h"
#include "collectives/nvls.h"

enum status nvls_collective(struct communicator* comm, const struct boot_job* job) {
  switch (job->collective) {
    case BOOT_ALLREDUCE:
      return nvls_run(comm, job, MULTIMEM_ALL_REDUCE);
    case BOOT_REDUCE_SCATTER:
      return nvls_run(comm, job, MULTIMEM_LD_REDUCE);
    case BOOT_ALLGATHER:
      return nvls_run(comm, job, MULTIMEM_ST);
    case BOOT_BARRIER:
      return nvls_barrier(comm);
    default:
      return collective_unsupported(job);
  }
}
