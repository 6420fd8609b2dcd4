#include "collectives/collectives.h"
#include "collectives/nvls.h"
#include "collectives/select.h"
#include "hal/hal.h"

static enum status unsupported(const struct boot_job* job) {
  hal_log("job: no such algorithm for the collective",
          (uint64_t)job->collective << 32 | job->algorithm);
  return STATUS_UNSUPPORTED;
}

static enum status run_allreduce(struct communicator* comm, const struct boot_job* job) {
  switch (job->algorithm) {
    case BOOT_RING:
      return ring_allreduce(comm, job);
    case BOOT_DIRECT:
      return direct_allreduce(comm, job);
    case BOOT_HALVING_DOUBLING:
      return halving_doubling_allreduce(comm, job);
    case BOOT_NVLS:
      return nvls_allreduce(comm, job);
    default:
      return unsupported(job);
  }
}

static enum status run_on_ring(struct communicator* comm, const struct boot_job* job) {
  if (job->algorithm != BOOT_RING) return unsupported(job);
  switch (job->collective) {
    case BOOT_REDUCE_SCATTER:
      return ring_reduce_scatter(comm, job);
    case BOOT_ALLGATHER:
      return ring_allgather(comm, job);
    default:
      return ring_broadcast(comm, job);
  }
}

static enum status run_in_parts(struct communicator* comm, const struct boot_job* job) {
  if (job->algorithm != BOOT_NVLS) return run_on_ring(comm, job);
  switch (job->collective) {
    case BOOT_REDUCE_SCATTER:
      return nvls_reduce_scatter(comm, job);
    case BOOT_ALLGATHER:
      return nvls_allgather(comm, job);
    default:
      return unsupported(job);
  }
}

enum status run_collective(struct communicator* comm, const struct boot_job* job) {
  if (is_by_accelerators(job)) return scin_collective(&comm->scin, &comm->boot, job);
  switch (job->collective) {
    case BOOT_ALLREDUCE:
      return run_allreduce(comm, job);
    case BOOT_REDUCE_SCATTER:
    case BOOT_ALLGATHER:
    case BOOT_BROADCAST:
      return run_in_parts(comm, job);
    case BOOT_BARRIER:
      return job->algorithm == BOOT_NVLS ? nvls_barrier(comm) : dissemination_barrier(comm);
    case BOOT_P2P_LATENCY:
      return point_to_point_latency(comm, job);
    case BOOT_P2P_BANDWIDTH:
      return point_to_point_bandwidth(comm, job);
    default:
      return unsupported(job);
  }
}
