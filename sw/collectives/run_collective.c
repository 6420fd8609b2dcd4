#include "collectives/collectives.h"
#include "collectives/nvls.h"
#include "collectives/select.h"
#include "hal/hal.h"

static enum status run_allreduce(struct communicator* comm, const struct boot_job* job) {
  switch (job->algorithm) {
    case BOOT_DIRECT:
      return direct_allreduce(comm, job);
    case BOOT_HALVING_DOUBLING:
      return halving_doubling_allreduce(comm, job);
    case BOOT_NVLS:
      return nvls_allreduce(comm, job);
    default:
      return ring_allreduce(comm, job);
  }
}

static enum status run(struct communicator* comm, const struct boot_job* job) {
  const int is_nvls = job->algorithm == BOOT_NVLS;
  if (is_by_accelerators(job)) return scin_collective(&comm->scin, &comm->boot, job);
  switch (job->collective) {
    case BOOT_ALLREDUCE:
      return run_allreduce(comm, job);
    case BOOT_REDUCE_SCATTER:
      return is_nvls ? nvls_reduce_scatter(comm, job) : ring_reduce_scatter(comm, job);
    case BOOT_ALLGATHER:
      return is_nvls ? nvls_allgather(comm, job) : ring_allgather(comm, job);
    case BOOT_BROADCAST:
      return ring_broadcast(comm, job);
    case BOOT_BARRIER:
      return is_nvls ? nvls_barrier(comm) : dissemination_barrier(comm);
    case BOOT_P2P_LATENCY:
      return point_to_point_latency(comm, job);
    default:
      return point_to_point_bandwidth(comm, job);
  }
}

enum status run_collective(struct communicator* comm, const struct boot_job* job) {
  const int is_known = is_algorithm_for(job->algorithm, job->collective);
  if (is_known && !is_on_mesh(job->algorithm)) return run(comm, job);
  hal_log("job: no such algorithm for the collective",
          (uint64_t)job->collective << 32 | job->algorithm);
  return STATUS_UNSUPPORTED;
}
